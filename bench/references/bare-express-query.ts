import express from 'express';
import { Pool } from 'pg';

/**
 * A reference: bare Express 5 with one query, whose rows are the response. No authentication, no validation, no cursor, nothing prepared.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const statement = process.env.QUERY ?? '';
const values = JSON.parse(process.env.VALUES ?? '[]') as unknown[];
const app = express();
app.get('/', (_request, response, next) => {
  pool.query(statement, values).then(({ rows }) => response.json(rows), next);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
