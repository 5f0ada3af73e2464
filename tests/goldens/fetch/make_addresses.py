"""Writes addresses.txt: "address yes|no", whether Python's ipaddress counts it as global. Standard library only."""
import ipaddress
import pathlib
import random

random.seed(7)
V4 = """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 1.0.0.0/8
 8.8.8.0/24 93.184.216.0/24""".split()
V6 = """::/128 ::1/128 ::/96 ::ffff:0:0/96 64:ff9b:1::/48 100::/64 2001::/32 2001:2::/48 2001:10::/28 2001:db8::/32
 2002::/16 2606:4700::/32 2a00:1450::/32 2400:cb00::/32 fc00::/7 fd00:ec2::/32 fe80::/10 ff00::/8""".split()


def edges(network):
    """First and last address, their neighbours outside, and some between."""
    first, last = int(network.network_address), int(network.broadcast_address)
    numbers = {first, last, first - 1, last + 1} | {random.randint(first, last) for _ in range(6)}
    limit = 1 << network.max_prefixlen
    kind = ipaddress.IPv4Address if network.version == 4 else ipaddress.IPv6Address
    return [kind(n) for n in sorted(numbers) if 0 <= n < limit]


lines = []
for text in V4 + V6:
    for address in edges(ipaddress.ip_network(text)):
        inner = getattr(address, "ipv4_mapped", None) or address
        # is_global calls multicast of worldwide scope global; it is no server's address.
        lines.append(f"{address} {'yes' if inner.is_global and not inner.is_multicast else 'no'}")
(pathlib.Path(__file__).parent / "addresses.txt").write_text("\n".join(dict.fromkeys(lines)) + "\n")
