"""Scaffolding of .ci/camera-virtual: picamera2 imports its screen preview, which nobody shows."""


class PixelFormat:
    """Any name of it is a format."""

    def __getattr__(self, name: str) -> str:
        return name


for _name in ("RGB888", "BGR888", "XRGB8888", "XBGR8888", "ARGB8888", "ABGR8888", "YUV420",
              "YVU420", "NV12", "YUYV", "MJPEG", "UYVY"):  # fmt: skip
    setattr(PixelFormat, _name, _name)
