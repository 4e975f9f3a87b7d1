//! Codes of drawing a scene. Another crate draws; they are declared here so that `ligament explain` knows them.

super::codes! {
    NO_DRIVER = "RD001", "no graphics driver",
        "Pictures are drawn through Vulkan (on Windows also Direct3D 12, on Apple's systems Metal). No such driver was found. Neither a graphics card nor a screen is needed: lavapipe draws on the CPU.",
        "ligament render mage.pfobj -o mage.png, on a server without Vulkan drivers",
        "Install one: `apt install mesa-vulkan-drivers` on Debian and Ubuntu, `dnf install mesa-vulkan-drivers` on Fedora, `pacman -S vulkan-swrast` on Arch. `vulkaninfo --summary` shows what is found.";
    DEVICE = "RD002", "graphics device failed",
        "The graphics driver did not start, lost its device while drawing, ran out of memory, or rejected a command. No picture was written.",
        "a graphics card that is reset while it draws",
        "Try again; update the driver; make the picture smaller; or draw on the CPU by pointing VK_DRIVER_FILES at lavapipe's file (lvp_icd).";
    TOO_LARGE = "RD003", "picture or model too large to draw",
        "The graphics device limits the size of a picture, and the memory for a model's vertices.",
        "ligament render mage.pfobj -o mage.png --size 100000x100000",
        "Ask for a smaller picture, or split the model.";
    NO_DISPLAY = "RD004", "no screen to open a window on",
        "`ligament view` opens a window, for which it needs a running graphical session: X11 or Wayland on Linux. None was found, or its libraries are missing.",
        "ligament view mage.pfobj, in a container or over ssh",
        "Start it in a graphical session, or set DISPLAY or WAYLAND_DISPLAY to one. Without a screen, `ligament render` draws pictures; Xvfb (`xvfb-run ligament view mage.pfobj`) emulates a screen.";
    TEXTURE = "RD101", "texture not drawn as it is",
        "An image that a material uses is missing, broken, of an unsupported type, or larger than the device can hold. The material is drawn without it, or with a smaller version; a missing base colour is a checkerboard of magenta and grey. The rest of the picture is correct.",
        "a material whose skin.png is not beside the model",
        "Put the file where the message says, or save it as PNG or JPEG of a moderate size.";
    MODEL = "RD102", "model not drawn completely",
        "Part of the model could not be drawn as it is, or there is nothing to draw. The message says what is missing.",
        "a file without vertices and joints",
        "Look at the file with `ligament info` and `ligament validate`.";
    OVERLAY = "RD103", "overlay not complete",
        "An overlay that was asked for did not fit into the picture, or the model has nothing to show in it.",
        "--show names on a small picture of a model with many joints",
        "Make the picture larger, or ask for less.";
    UNKNOWN_CAMERA = "RD201", "no such camera",
        "--camera names neither a side to look from (front, back, left, right, top, below, three-quarter, behind) nor a camera of the file. --yaw and --pitch turn a side, and not a camera of the file.",
        "ligament render scene.glb -o scene.png --camera Man",
        "Use one of the names that the message lists.";
    UNKNOWN_JOINT = "RD202", "no such joint",
        "--weights names a joint that the file does not have. A prefix that all joints share, such as mixamorig:, and upper and lower case need not be given.",
        "ligament render fox.glb -o fox.png --weights head, in which it is called b_Head_05",
        "Use a joint's full name; `--show skeleton,names` draws them.";
}
