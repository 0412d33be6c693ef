import { join } from 'node:path';
import { alternate, type BenchCase, compared, startServer } from '../measure';
import { startService } from '../service';

const ENDPOINTS = 25;

/** `GET /v1/webhooks?org_id=` with 25 endpoints, against bare Express with the one query it needs. */
export const webhookList: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_webhook_list', 3911);
  const { id } = (await service.call('POST', '/v1/organisations', { name: 'Bench' })).body as { id: string };
  for (let n = 0; n < ENDPOINTS; n++) {
    await service.call('POST', '/v1/webhooks', {
      org_id: id,
      target_url: `https://hooks.example.com/${n}`,
      description: `Endpoint ${n} of the bench`,
      event_types: ['bundle.created', 'bundle.deleted', 'listing.published', 'member.added'],
    });
  }
  const script = join(__dirname, '..', 'references', 'bare-express-pg.js');
  const reference = await startServer(script, 3912, { DATABASE_URL: service.databaseUrl }, '/');
  const path = `/v1/webhooks?org_id=${id}`;
  const headers = { authorization: `Bearer ${service.token}` };
  try {
    const rounds = await alternate(
      [
        { name: 'webhook list', url: service.url + path, headers },
        { name: 'webhook list, gzip', url: service.url + path, headers: { ...headers, 'accept-encoding': 'gzip' } },
        { name: 'bare Express with one query', url: reference.url + path },
      ],
      settings,
    );
    return [
      compared(rounds, 'webhook list', 'bare Express with one query', '≥ 0.5'),
      compared(rounds, 'webhook list, gzip', 'webhook list'),
      compared(rounds, 'bare Express with one query', 'bare Express with one query'),
    ];
  } finally {
    await Promise.all([service.stop(), reference.stop()]);
  }
};
