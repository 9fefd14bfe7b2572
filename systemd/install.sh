#!/usr/bin/env bash
# Installs the table companion as a service, from this checkout, for any user name.
#
#   sudo systemd/install.sh [--port N] [--root DIR]
#
# Run it again to update, or after an interruption: it ends in the same state. The program goes to
# /opt/table-companion, games and settings to /var/lib/table-companion. --root puts the files under
# another folder (to look at them first). Undo with systemd/uninstall.sh.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=""
port=""
while [ $# -gt 0 ]; do
    case "$1" in
        --port) port=${2:?--port needs a number}; shift 2 ;;
        --root) root=${2:?--root needs a folder}; shift 2 ;;
        *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
if [ -n "$port" ] && ! { [[ "$port" =~ ^[0-9]{1,5}$ ]] && [ "$port" -ge 1 ] && [ "$port" -le 65535 ]; }; then
    echo "--port must be a number from 1 to 65535." >&2; exit 2
fi
if [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
    echo "Installing a service needs root: run it with sudo." >&2; exit 2
fi

umask 022 # the service's user must be able to read it
prefix="$root/opt/table-companion"
units="$root/etc/systemd/system"

echo "1/5 System packages"
packages=(python3-venv)
if grep -qs "Raspberry Pi" "$root/proc/device-tree/model" /proc/device-tree/model; then
    # Camera and GPIO bindings follow the system's own libraries, so they come by apt only.
    packages+=(python3-picamera2 python3-lgpio python3-gpiozero python3-spidev python3-opencv)
fi
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y "${missing[@]}"
fi

echo "2/5 Program"
# Built beside the running one and then swapped in by one rename, so that a stop at any moment
# leaves either the old program or the new one.
new=a
[ "$(readlink "$prefix/current" 2>/dev/null)" = a ] && new=b
mkdir -p "$prefix"
rm -rf "${prefix:?}/$new"
python3 -m venv --system-site-packages "$prefix/$new"
extras="[vision]"
"$prefix/$new/bin/python" -c 'import cv2; cv2.aruco.ArucoDetector' 2>/dev/null && extras=""
"$prefix/$new/bin/python" -m pip install --quiet "$here$extras"
ln -sfn "$new" "$prefix/next"
mv -T "$prefix/next" "$prefix/current"

echo "3/5 User and groups"
install -D -m 644 "$here/systemd/companion.sysusers" "$root/etc/sysusers.d/table-companion.conf"
systemd-sysusers ${root:+--root="$root"}

echo "4/5 Service files"
install -D -m 644 "$here/systemd/companion.service" "$units/companion.service"
install -D -m 644 "$here/systemd/companion.avahi.service" "$root/etc/avahi/services/table-companion.service"
rm -rf "$units/companion.service.d/port.conf"
if [ -n "$port" ]; then
    mkdir -p "$units/companion.service.d"
    printf '[Service]\nEnvironment=COMPANION_WEB_PORT=%s\n' "$port" > "$units/companion.service.d/port.conf"
    sed -i "s|<port>.*</port>|<port>$port</port>|" "$root/etc/avahi/services/table-companion.service"
fi

echo "5/5 Start"
if [ -z "$root" ]; then
    systemctl daemon-reload
    systemctl enable companion.service
    systemctl restart companion.service
fi
for old in a b; do
    [ "$(readlink "$prefix/current")" = "$old" ] || rm -rf "${prefix:?}/$old"
done

echo "Done. Open one of these on a phone in the same network:"
for address in $(hostname -I); do
    case "$address" in
        *:*) ;;
        *) echo "  http://$address:${port:-8080}/" ;;
    esac
done
echo "What is connected and what is missing: $prefix/current/bin/companion doctor"
