import express from 'express';
import { Pool } from 'pg';

/**
 * The reference for SCIM requests: bare Express 5 and one statement for each. No tokens, no rules, no roles that follow,
 * no events, no log.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = express();
app.use(express.json({ type: () => true }));

interface Sent {
  userName: string;
  displayName: string;
  externalId: string;
  emails: object[];
}

app.post('/:org/Users', (request, response, next) => {
  const { userName, displayName, externalId, ...attributes } = request.body as Sent;
  pool
    .query(
      `WITH account AS (INSERT INTO users (id, email) VALUES (uuid_v7(), $2) RETURNING id),
            member AS (INSERT INTO memberships (org_id, user_id, scim_role, role) SELECT $1, id, 'MEMBER', 'MEMBER' FROM account)
       INSERT INTO scim_users (org_id, id, user_id, consent_user_id, user_name, external_id, display_name, attributes)
       SELECT $1, uuid_v7(), id, id, $2, $3, $4, $5 FROM account RETURNING *`,
      [request.params.org, userName, externalId, displayName, JSON.stringify(attributes)],
    )
    .then(({ rows }) => response.status(201).json(rows[0]), next);
});
app.get('/:org/Users', (request, response, next) => {
  const { filter } = request.query;
  const [, name] = /"(.*)"/.exec(typeof filter === 'string' ? filter : '') ?? [];
  pool
    .query(
      `SELECT * FROM scim_users
       WHERE org_id = $1 AND deleted_at IS NULL AND username_key(user_name) COLLATE "C" = username_key($2)`,
      [request.params.org, name],
    )
    .then(({ rows }) => response.json({ totalResults: rows.length, Resources: rows as object[] }), next);
});
app.patch('/:org/Groups/:id', (request, response, next) => {
  const { Operations } = request.body as { Operations: { value: { value: string }[] }[] };
  pool
    .query(`INSERT INTO scim_group_members (group_id, scim_user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
      request.params.id,
      Operations[0]?.value[0]?.value,
    ])
    .then(() => response.status(204).end(), next);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
