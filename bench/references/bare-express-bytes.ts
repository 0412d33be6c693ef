import express from 'express';
import { readFileSync } from 'node:fs';

/** The reference for answers from memory: bare Express 5, the same bytes for every request. */
const body = readFileSync(process.env.BODY ?? '');
const app = express();
app.disable('etag');
app.get('/', (_request, response) => {
  response.type('json').send(body);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
