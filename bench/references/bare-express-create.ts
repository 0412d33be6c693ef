import express from 'express';
import { Pool } from 'pg';

/**
 * The reference for creating a bundle: bare Express 5 with one statement that inserts a row and commits. No token, no
 * rules, no limit, no version, no event.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = express();
app.use(express.json());

interface Sent {
  name: string;
  slug: string;
  org_id: string;
}

app.post('/v1/bundles', (request, response, next) => {
  const { name, slug, org_id } = request.body as Sent;
  pool
    .query({
      name: 'create',
      text: `INSERT INTO bundles (id, name, slug, visibility, org_id, owner_id)
             VALUES (uuid_v7(), $1, $2, 'PRIVATE', $3, $4) RETURNING *`,
      values: [name, slug, org_id, process.env.OWNER_ID],
    })
    .then(({ rows }) => response.status(201).json(rows[0]), next);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
