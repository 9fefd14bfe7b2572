#!/usr/bin/env bash
# Removes what install.sh installed. Games and settings stay unless --purge is given.
#
#   sudo systemd/uninstall.sh [--purge] [--root DIR]
set -euo pipefail

root=""
purge=no
while [ $# -gt 0 ]; do
    case "$1" in
        --purge) purge=yes; shift ;;
        --root) root=${2:?--root needs a folder}; shift 2 ;;
        *) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
if [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
    echo "Removing a service needs root: run it with sudo." >&2; exit 2
fi

if [ -z "$root" ] && [ -e /etc/systemd/system/companion.service ]; then
    systemctl disable --now companion.service
fi
rm -rf "$root/etc/systemd/system/companion.service" "$root/etc/systemd/system/companion.service.d" \
    "$root/etc/avahi/services/table-companion.service" "$root/etc/sysusers.d/table-companion.conf" \
    "${root}/opt/table-companion"
if [ -z "$root" ]; then
    systemctl daemon-reload
fi
if [ "$purge" = yes ]; then
    rm -rf "$root/var/lib/table-companion" "$root/var/cache/table-companion"
    if [ -z "$root" ] && id companion >/dev/null 2>&1; then userdel companion; fi
    echo "Removed, with all games and settings."
else
    echo "Removed. Games and settings stay in $root/var/lib/table-companion (--purge removes them)."
fi
