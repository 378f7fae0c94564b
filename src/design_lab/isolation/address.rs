//! Network addresses that a lab session may not fetch from: OpenCode's own server listens on loopback and serves every
//! session's messages.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::verdict::UrlFact;

/// Whether every part of the fact describes a public host; a host that didn't resolve is not public.
pub(super) fn is_public(url: &UrlFact) -> bool {
    let web = matches!(url.protocol.as_str(), "http:" | "https:");
    web && is_public_host(&url.host)
        && !url.addresses.is_empty()
        && url.addresses.iter().all(|address| parse(address).is_some_and(is_public_address))
}

fn is_public_host(host: &str) -> bool {
    if let Some(address) = parse(host) {
        return is_public_address(address);
    }
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let private = [".localhost", ".local", ".internal", ".lan", ".home.arpa"];
    host.contains('.') && !private.iter().any(|suffix| host.ends_with(suffix))
}

fn parse(text: &str) -> Option<IpAddr> {
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    text.split('%').next()?.parse().ok()
}

fn is_public_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => embedded_v4(address).map_or_else(|| is_global_unicast(address), is_public_v4),
    }
}

/// Special-purpose blocks of RFC 6890 and its successors are not public.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || a == 0
        || a >= 224
        || (a, b & 0xc0) == (100, 64)
        || (a, b, c) == (192, 0, 0)
        || (a, b & 0xfe) == (198, 18))
}

/// IPv4 inside IPv6: mapped, compatible, NAT64 (RFC 6052), 6to4 (RFC 3056).
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff | 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
}

/// Whether the address is in `2000::/3`, which excludes loopback, unique local, link-local and multicast addresses.
fn is_global_unicast(address: Ipv6Addr) -> bool {
    address.segments()[0] & 0xe000 == 0x2000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_in_every_dress_are_not_public() {
        let private = [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "[::1]",
            "::",
            "fe80::1%eth0",
            "fd00::1",
            "::ffff:127.0.0.1",
            "::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
            "ff02::1",
            "192.0.0.1",
        ];
        for host in private {
            assert!(!is_public_host(host), "{host}");
        }
        let names =
            ["localhost", "LOCALHOST.", "api.localhost", "printer.local", "intranet", "x.internal", ""];
        for host in names {
            assert!(!is_public_host(host), "{host}");
        }
        for host in
            ["example.com", "8.8.8.8", "2606:4700::1111", "[2606:4700::1111]", "docs.rs", "64:ff9b::808:808"]
        {
            assert!(is_public_host(host), "{host}");
        }
    }

    #[test]
    fn a_public_name_for_a_private_address_is_not_public() {
        let fact = |protocol: &str, host: &str, addresses: &[&str]| UrlFact {
            given: String::new(),
            protocol: protocol.to_owned(),
            host: host.to_owned(),
            addresses: addresses.iter().map(|&address| address.to_owned()).collect(),
        };
        assert!(is_public(&fact("https:", "example.com", &["93.184.216.34"])));
        assert!(!is_public(&fact("https:", "rebind.example.com", &["93.184.216.34", "127.0.0.1"])));
        assert!(!is_public(&fact("https:", "example.com", &[])));
        assert!(!is_public(&fact("https:", "example.com", &["nonsense"])));
        assert!(!is_public(&fact("file:", "example.com", &["93.184.216.34"])));
    }
}
