//! The address of a page below a text in the chat: bare and on its own line, because terminals turn that into a link. Only the shell
//! knows the path of a run, and passes it in when it shows the text: nothing stored contains it.

use kernel::visible;

/// The text with the address below it. `place`: the run's directory, as a `file:` URL; empty if the reader must not see it. `page`: the
/// path below that directory; `None` while there is no page.
pub(crate) fn addressed(text: String, place: &str, page: Option<&str>) -> String {
    match page {
        Some(page) if !place.is_empty() => {
            format!("{text}\n\n{}/{page}", visible::line(place.trim_end_matches('/')))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_stands_on_a_line_of_its_own_where_there_is_a_page() {
        let page = Some("report.html");
        for (place, page, expected) in [
            ("file:///home/ada/shop/r", page, "Done\n\nfile:///home/ada/shop/r/report.html"),
            ("file:///a%20b%23/%C3%BC/", page, "Done\n\nfile:///a%20b%23/%C3%BC/report.html"),
            ("file:///a\u{1b}[2J\nb", page, "Done\n\nfile:///a[U+001B][2J b/report.html"),
            ("file:///home/ada/shop/r", None, "Done"),
            ("", page, "Done"),
        ] {
            assert_eq!(addressed("Done".to_owned(), place, page), expected);
        }
    }
}
