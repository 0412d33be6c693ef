import express from 'express';
import { readFileSync } from 'node:fs';

/** The reference for categories: bare Express 5, `res.json` of the same body, without authentication. */
const body = JSON.parse(readFileSync(process.env.BODY ?? '', 'utf8')) as unknown;
const app = express();
app.get('/v1/mcp/categories', (_request, response) => {
  response.json(body);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
