use super::{Access, Setting, Typed};
use serde_json::Value;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// A setting for the formats that list it, with the Rust type of its value.
#[derive(Debug)]
pub struct OwnSetting<T> {
    /// The row.
    pub row: Setting,
    value: PhantomData<fn() -> T>,
}

impl<T: Typed + Default> OwnSetting<T> {
    /// Takes the kind of values and the default from the type.
    pub(crate) const fn new(row: Setting) -> Self {
        let access = Access::Own { default: || T::default().value() };
        Self { row: Setting { kind: T::KIND, access, ..row }, value: PhantomData }
    }
}

/// The values of settings that only some formats have.
///
/// ```
/// use ligament::formats::amo::{BIND, BindPose};
/// use ligament::formats::ReadOptions;
/// use ligament::settings::Own;
///
/// let options = ReadOptions { own: Own::with(&BIND, BindPose::FirstKey), ..ReadOptions::default() };
/// assert_eq!(options.own.get(&BIND), BindPose::FirstKey);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Own(BTreeMap<&'static str, Value>);

impl Own {
    /// One value; all others are the defaults.
    pub fn with<T: Typed>(setting: &OwnSetting<T>, value: T) -> Self {
        let mut own = Self::default();
        own.set(setting, value);
        own
    }

    /// The value that was set, otherwise the default.
    pub fn get<T: Typed + Default>(&self, setting: &OwnSetting<T>) -> T {
        self.0.get(setting.row.name).and_then(T::typed).unwrap_or_default()
    }

    /// Sets a value.
    pub fn set<T: Typed>(&mut self, setting: &OwnSetting<T>, value: T) {
        self.insert(&setting.row, &value.value());
    }

    pub(super) fn value(&self, row: &Setting) -> Value {
        self.0.get(row.name).cloned().unwrap_or_else(|| row.default_value())
    }

    pub(super) fn insert(&mut self, row: &Setting, value: &Value) {
        if *value == row.default_value() {
            self.0.remove(row.name);
        } else {
            self.0.insert(row.name, value.clone());
        }
    }
}
