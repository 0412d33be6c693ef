import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { type BenchCase, type Figure, median } from '../measure';
import { startService } from '../service';

const LISTINGS = 60;
const DOCUMENT_BYTES = 131_072;
const READERS = 20;

const PATH = '/v0.1/servers?limit=100';

/**
 * Sixty public listings of 128 KiB: the size of the largest anonymous response, and the memory used by twenty readers.
 */
export const registryMemory: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_registry_memory', 3961);
  try {
    await service.database.query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('Large', 'large', '', 'box', 1)`,
    );
    await service.database.query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility)
       SELECT gen_random_uuid(), 'com.large/s' || n, 's' || n, 'S', 'S.', categories.id, 'PUBLISHED', 'PUBLIC'
       FROM categories, generate_series(1, $1::int) AS n`,
      [LISTINGS],
    );
    // Incompressible values, so that the number of bytes matters.
    await service.database.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest)
       SELECT id, '1.0.0', json_build_object('name', name, 'description', 'S.', 'version', '1.0.0', 'notes', (
         SELECT left(string_agg(md5(name || n), ''), $1) FROM generate_series(1, 4200) AS n)), true FROM listings`,
      [DOCUMENT_BYTES - 100],
    );
    const before = memoryOf(service.pid, 'VmRSS');
    const answer = Buffer.byteLength(await (await fetch(service.url + PATH)).text()) / 1_048_576;
    const speeds: number[] = [];
    for (let round = 0; round < settings.rounds; round++) {
      const load = { url: service.url + PATH, connections: READERS, duration: settings.seconds };
      const { non2xx, errors, requests } = await autocannon(load);
      if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} bad answers, ${errors} errors.`);
      speeds.push(requests.average);
    }
    const most = memoryOf(service.pid, 'VmHWM');
    const figure = (name: string, value: number, unit: string, goal?: string): Figure => ({
      name,
      median: value,
      unit,
      rounds: [value],
      goal,
    });
    return [
      figure('the largest page of the registry, 60 documents of 128 KiB', answer, 'MiB', '≤ 1 MiB'),
      figure('memory before', before, 'MB'),
      {
        ...figure(`the most memory beside ${READERS} readers of it`, most, 'MB', '≤ 4'),
        ratio: { to: 'before', value: most / before },
      },
      { name: 'pages a second', median: median(speeds), unit: '/s', rounds: speeds },
    ];
  } finally {
    await service.stop();
  }
};

/** @returns MB, as Linux counts them for the process */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
}
