//! The address of a page below a text in the chat: bare and on a line of its own, since that is what terminals make a link of. Only
//! the shell knows where a run lies, and says so when it shows it: nothing that is kept has it.

use kernel::visible;

/// The text with the address below it. `place`: of the run's directory, as a `file:` URL; empty where nobody is to be shown it.
/// `page`: below that directory; none while there is no page.
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
