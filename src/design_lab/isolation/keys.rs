//! Files that contain keys, recognised by their names. Isolation, attachments, prompt files and Flow's copies share
//! this list.
//!
//! Most entries are in the file signatures of gitrob (`michenriksen/gitrob`, `core/signatures.go`), which list where
//! keys are found in repositories, and in the path rules of gitleaks. Files that belong to a project's code
//! (`settings.py`, `database.yml`, shell profiles) are not listed: a designer must be able to read them. Environment
//! files are handled separately: [`super::path::is_environment_file`].

/// File names, in lower case and sorted.
const NAMES: [&str; 64] = [
    ".boto",
    ".dbeaver-data-sources.xml",
    ".dockercfg",
    ".dockerconfigjson",
    ".envrc",
    ".ftpconfig",
    ".git-credentials",
    ".gitconfig",
    ".htpasswd",
    ".muttrc",
    ".my.cnf",
    ".mylogin.cnf",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".terraformrc",
    ".tugboat",
    ".vault-token",
    ".vault_pass",
    ".vault_pass.txt",
    "_netrc",
    "accesstokens.json",
    "application_default_credentials.json",
    "auth.json",
    "client_secret.json",
    "client_secrets.json",
    "credentials",
    "credentials.db",
    "credentials.json",
    "credentials.tfrc.json",
    "credentials.toml",
    "credentials.xml",
    "dbeaver-data-sources.xml",
    "design-lab.json",
    "design-lab.jsonc",
    "filezilla.xml",
    "htpasswd",
    "kilo.json",
    "kilo.jsonc",
    "kubeconfig",
    "local.settings.json",
    "localsettings.php",
    "logins.json",
    "mcp-auth.json",
    "msal_token_cache.json",
    "opencode.json",
    "opencode.jsonc",
    "otr.private_key",
    "pgpass.conf",
    "proftpdpasswd",
    "recentservers.xml",
    "robomongo.json",
    "secret_token.rb",
    "service-account.json",
    "service_account.json",
    "serviceaccountkey.json",
    "sftp-config",
    "sftp-config.json",
    "sitemanager.xml",
    "terraform.rc",
    "ventrilo_srv.ini",
    "wp-config.php",
];
/// Extensions after the last dot, in lower case and sorted.
const EXTENSIONS: [&str; 22] = [
    "agekey",
    "agilekeychain",
    "jks",
    "kdb",
    "kdbx",
    "key",
    "keychain",
    "keychain-db",
    "keypair",
    "keystore",
    "kubeconfig",
    "kwallet",
    "ovpn",
    "p12",
    "p8",
    "pem",
    "pfx",
    "pkcs12",
    "ppk",
    "psafe3",
    "tfstate",
    "tfvars",
];
/// Endings with two extensions.
const DOUBLE: [&str; 2] = [".tfstate.backup", ".tfvars.json"];
/// Names that only count in a directory with this name.
const IN_DIRECTORY: [(&str, &str); 8] = [
    (".aws", "config"),
    (".docker", "config.json"),
    (".irssi", "config"),
    (".kube", "config"),
    (".purple", "accounts.xml"),
    (".vscode", "sftp.json"),
    ("gh", "hosts.yml"),
    ("recon-ng", "keys.db"),
];
/// Directories in which any file may contain keys.
const DIRECTORIES: [&str; 2] = [".gnupg", ".ssh"];
/// Extensions that make `secret.…` and `secrets.…` data files.
const DATA: [&str; 7] = ["ini", "json", "properties", "toml", "txt", "yaml", "yml"];
/// Endings of names without a dot: private SSH keys, whose public counterparts end in `.pub`, and the history of the
/// fish shell.
const WITHOUT_DOT: [&str; 7] =
    ["_rsa", "_dsa", "_ecdsa", "_ed25519", "_ecdsa_sk", "_ed25519_sk", "fish_history"];
/// A file with one of these among its extensions is intended to be read.
const SPECIMENS: [&str; 8] = ["dist", "example", "sample", "schema", "template", "tmpl", "tpl", "enc"];
/// Directories whose files are translated texts (`locales/en/auth.json`) or placeholders (`templates/secrets.yaml`).
const OF_TEXTS: [&str; 9] =
    ["i18n", "lang", "langs", "languages", "locale", "locales", "messages", "templates", "translations"];

/// Whether a file contains keys, judged by its name and location. This is called for every call of a designer, so two
/// searches decide most names.
pub(crate) fn holds_keys(path: &str) -> bool {
    let mut names = path.rsplit(['/', '\\']).filter(|name| !matches!(*name, "" | "."));
    let Some(name) = names.next() else { return false };
    let name = name.trim_end_matches(['.', ' ']).to_ascii_lowercase();
    let parents = names;
    let is_below = |directory: &str| parents.clone().any(|parent| parent.eq_ignore_ascii_case(directory));
    let mut hidden = parents.clone().filter(|parent| parent.starts_with('.'));
    if hidden.any(|parent| DIRECTORIES.iter().any(|directory| parent.eq_ignore_ascii_case(directory))) {
        return name.rsplit_once('.').is_none_or(|(_, extension)| extension != "pub");
    }
    // A submodule's settings are further down.
    if name == "config" && is_below(".git") {
        return true;
    }
    let is_named = NAMES.binary_search(&name.as_str()).is_ok() || is_secrets(&name);
    let is_one =
        is_named && !OF_TEXTS.iter().any(|directory| is_below(directory)) || is_by_ending(&name) || {
            let parent = parents.clone().next().unwrap_or_default();
            IN_DIRECTORY
                .iter()
                .any(|(directory, file)| name == *file && parent.eq_ignore_ascii_case(directory))
        };
    is_one && !name.split('.').skip(1).any(|extension| SPECIMENS.contains(&extension))
}

fn is_by_ending(name: &str) -> bool {
    match name.rsplit_once('.') {
        None => WITHOUT_DOT.iter().any(|ending| name.ends_with(ending)),
        Some((_, extension)) => {
            EXTENSIONS.binary_search(&extension).is_ok()
                || DOUBLE.iter().any(|ending| name.ends_with(ending))
                || is_history(name)
        }
    }
}

/// Whether the name is `secrets.yaml`, `secret.json` or the like; `secrets.py` is code.
fn is_secrets(name: &str) -> bool {
    let rest = name.strip_prefix("secrets.").or_else(|| name.strip_prefix("secret."));
    rest.is_some_and(|ending| DATA.contains(&ending))
}

/// Whether the file is the history of a shell or a database client, such as `.bash_history`.
fn is_history(name: &str) -> bool {
    name == ".history" || name.starts_with('.') && name.ends_with("_history")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_searched_is_sorted() {
        assert!(NAMES.is_sorted() && EXTENSIONS.is_sorted());
    }

    #[test]
    fn files_of_keys_are_known_by_their_names() {
        for path in [
            ".aws/credentials",
            ".aws/config",
            "/p/.docker/config.json",
            ".kube/config",
            "deploy/kubeconfig",
            ".envrc",
            "k8s/secrets.yaml",
            "k8s/Secret.yml",
            ".streamlit/secrets.toml",
            "terraform.tfstate",
            "infra/terraform.tfstate.backup",
            "infra/prod.tfvars",
            ".htpasswd",
            ".bash_history",
            ".psql_history",
            "opencode.json",
            ".opencode/opencode.jsonc",
            "kilo.json",
            ".kilo/kilo.jsonc",
            ".git/config",
            ".git/modules/lib/config",
            ".npmrc",
            ".NETRC",
            "tls/Server.PEM",
            "id_rsa",
            "deploy/github_ed25519",
            ".ssh/config",
            ".gnupg/secring.gpg",
            "auth.json",
            "src/credentials.json",
            "wp-config.php",
            "C:\\p\\.aws\\credentials",
            "id_rsa.",
        ] {
            assert!(holds_keys(path), "{path}");
        }
    }

    #[test]
    fn what_a_designer_has_to_read_is_none() {
        for path in [
            "",
            ".env.example",
            "secrets.example.yaml",
            "terraform.tfvars.example",
            "secrets.enc.yaml",
            "id_rsa.pub",
            ".ssh/id_ed25519.pub",
            "id_rsa.md",
            "src/secrets.py",
            "src/secret/index.ts",
            "src/keys.js",
            "locales/en/auth.json",
            "charts/api/templates/secrets.yaml",
            ".aws/task-definition.json",
            ".docker/Dockerfile",
            ".gitignore",
            ".github/config",
            "config",
            "src/config.json",
            "config/database.yml",
            "settings.py",
            "package.json",
            "design-system.md",
            "docs/history.md",
            "pem",
            "monkey.keys",
        ] {
            assert!(!holds_keys(path), "{path}");
        }
    }
}
