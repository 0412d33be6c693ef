import express from 'express';
import { Pool } from 'pg';

/** The reference for the webhook list: bare Express 5 with the one query it needs, without authentication. */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = express();
app.get('/v1/webhooks', (request, response, next) => {
  pool
    .query(
      `SELECT id, target_url, is_active, description, event_types, created_at, updated_at
       FROM webhook_endpoints WHERE org_id = $1 ORDER BY created_at DESC, id DESC`,
      [request.query.org_id],
    )
    .then(({ rows }) => response.json(rows), next);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
