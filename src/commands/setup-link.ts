import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { ENTITIES } from '../schema';
import { SetUpTokens } from '../sign-in/set-up/set-up-tokens';
import { readOptions, runCommand } from './command';
import { withDatabase } from './with-database';

const USAGE = `Usage: npm run setup-link

Prints a new link to the page that sets this instance up, valid for 24 hours. Earlier links end.
`;

async function main(): Promise<string> {
  if (readOptions(USAGE, { help: { type: 'boolean', short: 'h' } }).help) return USAGE.trimEnd();
  const environment = new Environment(process.env);
  return withDatabase(
    environment,
    ENTITIES,
    async (dataSource) => {
      const tokens = new SetUpTokens(dataSource, environment, new Clock());
      const obstacle = await tokens.obstacle();
      if (obstacle !== undefined)
        throw new Error(`${obstacle} See "Getting back in" in docs/operating/failures-and-limits.md.`);
      return tokens.newLink({ replacing: true });
    },
    2,
  );
}

runCommand(main);
