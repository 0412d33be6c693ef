import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { createDataSource } from '../database/data-source';
import { migrate } from '../database/migrate';
import { EmbeddedPostgres, runningServerUrl } from '../embedded/embedded-postgres';
import { ENTITIES, MIGRATIONS } from '../schema';
import { SetUpTokens } from '../sign-in/set-up/set-up-tokens';

const USAGE = `Usage: npm run setup-link

Prints a new link to the page that sets this instance up, valid for 24 hours. Earlier links end.
`;

async function main(): Promise<string> {
  if (process.argv.slice(2).some((argument) => ['--help', '-h'].includes(argument))) return USAGE.trimEnd();
  const environment = new Environment(process.env);
  const running = environment.databaseDirectUrl ?? environment.databaseUrl ?? runningServerUrl(environment.dataDir);
  const embedded =
    running === undefined ? await EmbeddedPostgres.start(environment.dataDir, () => undefined) : undefined;
  const dataSource = createDataSource({
    url: running ?? embedded?.url ?? '',
    poolSize: 2,
    preparesStatements: environment.preparesStatements,
    entities: ENTITIES,
    migrations: MIGRATIONS,
  });
  try {
    await dataSource.initialize();
    await migrate(dataSource);
    const tokens = new SetUpTokens(dataSource, environment, new Clock());
    const obstacle = await tokens.obstacle();
    if (obstacle !== undefined) throw new Error(`${obstacle} See "Getting back in" in docs/operating.md.`);
    return await tokens.newLink({ replacing: true });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.stop();
  }
}

main().then(
  (text) => process.stdout.write(`${text}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
