#!/usr/bin/env bash
# The box's own Wi-Fi, for a table without a network. Never switched on by anything else.
#
#   sudo systemd/hotspot.sh on [--interface wlan0] | off | remove | show   [--root DIR]
#
# Phones then open http://10.77.0.1:8080/ (or http://companion.internal:8080/, which the box itself
# answers). There is no way to the internet through it.
set -euo pipefail

name=table-companion
address=10.77.0.1
domain=companion.internal
port=8080
interface=wlan0
root=""

usage() { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
command=${1:-}
[ $# -gt 0 ] && shift
while [ $# -gt 0 ]; do
    case "$1" in
        --root) root=${2:?--root needs a folder}; shift 2 ;;
        --interface) interface=${2:?--interface needs a name}; shift 2 ;;
        *) usage ;;
    esac
done
names="$root/etc/NetworkManager/dnsmasq-shared.d/table-companion.conf"
if ! command -v nmcli >/dev/null; then
    echo "NetworkManager is not installed: this script can only drive NetworkManager." >&2; exit 3
fi
exists() { nmcli -g NAME connection show | grep -qx "$name"; }
show() {
    local passphrase
    passphrase=$(nmcli -s -g 802-11-wireless-security.psk connection show "$name")
    echo "Wi-Fi: $name"
    echo "Passphrase: $passphrase"
    echo "Address: http://$address:$port/  or  http://$domain:$port/"
    echo "If a phone says there is no internet, choose to stay connected; if the page does not"
    echo "open, switch mobile data off for the evening."
}

case "$command" in
    on)
        if ! exists; then
            # Letters without look-alikes: it is read aloud at the table.
            passphrase=$(LC_ALL=C tr -dc 'abcdefghjkmnpqrstuvwxyz23456789' < /dev/urandom | head -c 12 || true)
            nmcli connection add type wifi ifname "$interface" con-name "$name" ssid "$name" \
                autoconnect no 802-11-wireless.mode ap 802-11-wireless.band bg \
                ipv4.method shared ipv4.addresses "$address/24" ipv6.method disabled \
                wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$passphrase"
        fi
        mkdir -p "$(dirname "$names")"
        printf 'address=/%s/%s\n' "$domain" "$address" > "$names"
        nmcli connection up "$name"
        show
        ;;
    off) nmcli connection down "$name" ;;
    remove)
        if exists; then nmcli connection delete "$name"; fi
        rm -f "$names"
        ;;
    show) show ;;
    *) usage ;;
esac
