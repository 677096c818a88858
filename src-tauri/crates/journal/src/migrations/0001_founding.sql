-- Never edited once released; a change is a new file.
-- 'Ichd'
PRAGMA application_id = 1231251556;

CREATE TABLE meta (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    uuid TEXT NOT NULL,
    counter INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sites (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    home TEXT NOT NULL UNIQUE,
    rest_root TEXT NOT NULL,
    user TEXT NOT NULL,
    user_id INTEGER,
    added_at INTEGER NOT NULL,
    removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX sites_name ON sites (name) WHERE removed_at IS NULL;

CREATE TABLE settings (
    site_id INTEGER REFERENCES sites (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX settings_name ON settings (coalesce(site_id, 0), name);

-- One table for every kind of effect. States, reasons and kinds are checked by the program, which
-- reads them back through one table of names: new ones must not need a new table.
CREATE TABLE operations (
    op_id TEXT NOT NULL PRIMARY KEY,
    site_id INTEGER NOT NULL REFERENCES sites (id),
    kind TEXT NOT NULL,
    post_type TEXT NOT NULL,
    key TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    is_left INTEGER NOT NULL CHECK (is_left IN (0, 1)),
    may_have_left INTEGER NOT NULL CHECK (may_have_left IN (0, 1)),
    remote_id INTEGER,
    recorded TEXT,
    needs_post_process INTEGER NOT NULL DEFAULT 0 CHECK (needs_post_process IN (0, 1)),
    slug TEXT NOT NULL,
    title TEXT NOT NULL,
    source_path TEXT,
    source_digest TEXT,
    sent_digest TEXT,
    normaliser INTEGER,
    mark INTEGER,
    expected TEXT,
    replaces TEXT REFERENCES operations (op_id),
    unknown TEXT,
    refusal TEXT,
    declared_new INTEGER NOT NULL DEFAULT 0 CHECK (declared_new IN (0, 1)),
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    settled_at INTEGER,
    first_negative TEXT,
    last_look_at INTEGER,
    next_look_at INTEGER,
    looks INTEGER NOT NULL DEFAULT 0,
    evidence TEXT,
    findings TEXT,
    CHECK ((state IN ('waiting', 'halted')) = (reason IS NOT NULL)),
    CHECK (state <> 'sending' OR may_have_left = 1),
    CHECK (is_left = 0 OR state = 'halted')
) STRICT;
CREATE UNIQUE INDEX operations_key ON operations (site_id, kind, post_type, key) WHERE state <> 'abandoned';
-- Posts and images each own their row; several terms or acts upon a row may name the same one.
CREATE UNIQUE INDEX operations_remote ON operations (site_id, kind, remote_id)
    WHERE remote_id IS NOT NULL AND state <> 'abandoned' AND kind IN ('post', 'image');
CREATE INDEX operations_open ON operations (op_id) WHERE state IN ('sending', 'halted');
CREATE INDEX operations_next_look ON operations (next_look_at) WHERE next_look_at IS NOT NULL;
CREATE INDEX operations_source_path ON operations (site_id, source_path) WHERE source_path IS NOT NULL;
CREATE INDEX operations_source_digest ON operations (site_id, source_digest) WHERE source_digest IS NOT NULL;
CREATE INDEX operations_replaces ON operations (replaces) WHERE replaces IS NOT NULL;
CREATE INDEX operations_standing ON operations (site_id, kind, state, reason, is_left, may_have_left);

CREATE TABLE history (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    op_id TEXT,
    site_id INTEGER,
    by_person INTEGER NOT NULL CHECK (by_person IN (0, 1)),
    code TEXT NOT NULL,
    detail TEXT
) STRICT;
CREATE INDEX history_operation ON history (op_id, seq) WHERE op_id IS NOT NULL;
CREATE TRIGGER history_is_not_rewritten BEFORE UPDATE ON history BEGIN
    SELECT RAISE(ABORT, 'history is not rewritten');
END;
CREATE TRIGGER history_is_not_deleted BEFORE DELETE ON history BEGIN
    SELECT RAISE(ABORT, 'history is not deleted');
END;

CREATE TABLE high_water (
    site_id INTEGER NOT NULL REFERENCES sites (id),
    space TEXT NOT NULL CHECK (space IN ('posts', 'media')),
    id INTEGER NOT NULL,
    PRIMARY KEY (site_id, space)
) STRICT, WITHOUT ROWID;

CREATE TABLE dismissed (
    op_id TEXT NOT NULL REFERENCES operations (op_id),
    remote_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (op_id, remote_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE post_images (
    post_op TEXT NOT NULL REFERENCES operations (op_id),
    image_op TEXT NOT NULL REFERENCES operations (op_id),
    position INTEGER NOT NULL,
    featured INTEGER NOT NULL CHECK (featured IN (0, 1)),
    PRIMARY KEY (post_op, position, image_op)
) STRICT, WITHOUT ROWID;
CREATE INDEX post_images_image ON post_images (image_op);

CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    opened_at TEXT NOT NULL,
    owner TEXT NOT NULL,
    closed_at INTEGER,
    clean INTEGER CHECK (clean IN (0, 1)),
    CHECK ((closed_at IS NULL) = (clean IS NULL))
) STRICT;
CREATE UNIQUE INDEX runs_one_is_open ON runs ((1)) WHERE closed_at IS NULL;

CREATE TABLE barriers (
    site_id INTEGER REFERENCES sites (id),
    kind TEXT NOT NULL,
    since INTEGER NOT NULL,
    detail TEXT
) STRICT;
CREATE UNIQUE INDEX barriers_kind ON barriers (coalesce(site_id, 0), kind);

CREATE TABLE releases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    site_id INTEGER,
    kind TEXT NOT NULL,
    since INTEGER NOT NULL,
    detail TEXT,
    released_at INTEGER NOT NULL,
    by_person INTEGER NOT NULL CHECK (by_person IN (0, 1))
) STRICT;
