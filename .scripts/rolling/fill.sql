-- What a large installation has after a while, on the tables of the previous release: 1,000,000 events, 100,000 people of
-- one directory (half of them have signed in), and 80,000 versions of 20,000 public listings. Run by `npm run test:rolling`,
-- which replaces the three numbers when it is asked for less.
-- Needs a superuser: events that are a year old must not be sent to anybody now.
CREATE TEMP TABLE people AS SELECT n, uuid_v7() AS user_id, uuid_v7() AS scim_id FROM generate_series(1, :people) AS n;

INSERT INTO organisations (id, name, slug) VALUES ('0192f000-0000-7000-8000-000000000001', 'Rolling', 'rolling');
INSERT INTO users (id, email, name, claimed_at)
  SELECT user_id, 'person' || n || '@example.com', 'Given' || n % 4000 || ' Family' || n,
         CASE WHEN n % 2 = 0 THEN now() END
  FROM people;
INSERT INTO identities (issuer, subject, user_id)
  SELECT 'https://login.example.com', 'subject-' || n, user_id FROM people WHERE n % 2 = 0;
INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name, external_id, display_name, attributes)
  SELECT scim_id, '0192f000-0000-7000-8000-000000000001', user_id, user_id, 'person' || n || '@example.com', 'external-' || n,
         'Given' || n % 4000 || ' Family' || n,
         jsonb_build_object(
           'name', jsonb_build_object('givenName', 'Given' || n % 4000, 'familyName', 'Family' || n),
           'emails', jsonb_build_array(
             jsonb_build_object('value', 'person' || n || '@example.com', 'type', 'work', 'primary', true)),
           'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', jsonb_build_object('department', 'D' || n % 50))
  FROM people;
INSERT INTO memberships (org_id, user_id, scim_role, role)
  SELECT '0192f000-0000-7000-8000-000000000001', user_id, 'MEMBER', 'MEMBER' FROM people;

INSERT INTO categories (name, slug, description, icon, display_order)
  SELECT 'Category ' || n, 'category-' || n, '', 'box', n FROM generate_series(1, 25) AS n;
CREATE TEMP TABLE servers AS
  SELECT n, uuid_v7() AS id, 'io.example.team' || n % 500 || '/server-' || n AS name
  FROM generate_series(1, :versions / 4) AS n;
INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, published_at, transports,
                      registry_types)
  SELECT id, name, 'server-' || n, 'Server ' || n, 'Reads and writes what system w' || n % 2000 || ' keeps', 1 + n % 25,
         'PUBLISHED', 'PUBLIC', now(), '{stdio}', '{npm}'
  FROM servers;
INSERT INTO listing_versions (listing_id, version, server, is_latest, server_name)
  SELECT id, '1.' || minor || '.0',
         json_build_object(
           'name', name, 'version', '1.' || minor || '.0', 'description', repeat('Records. ', 10),
           'packages', json_build_array(json_build_object(
             'registryType', 'npm', 'identifier', '@example/server-' || n, 'version', '1.' || minor || '.0',
             'transport', json_build_object('type', 'stdio'),
             'environmentVariables', json_build_array(
               json_build_object('name', 'TOKEN', 'description', repeat('What it needs. ', 8), 'isSecret', true))))),
         minor = 4, name
  FROM servers CROSS JOIN generate_series(1, 4) AS minor;

SET session_replication_role = replica;
INSERT INTO events (id, type, org_id, data, created_at)
  SELECT uuid_v7(), 'bundle.updated', '0192f000-0000-7000-8000-000000000001',
         jsonb_build_object('bundle_id', uuid_v7(), 'name', 'Bundle ' || n, 'visibility', 'PRIVATE'),
         now() - interval '20 days' + n * interval '1 second'
  FROM generate_series(1, :events) AS n;
SET session_replication_role = origin;
VACUUM ANALYZE;
