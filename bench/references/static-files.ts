import express from 'express';

/** The reference for the console: `express.static` over the same folder. */
const app = express();
app.disable('x-powered-by');
app.use('/console', express.static(process.env.FOLDER ?? '', { immutable: true, maxAge: '1y' }));
app.listen(Number(process.env.PORT), '127.0.0.1');
