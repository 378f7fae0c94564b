//! Who wrote what stays hidden from reviewers: orders, labels, scrubbing.
