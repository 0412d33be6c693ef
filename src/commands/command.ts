import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '../errors/message-of';

/**
 * @param usage what `--help` prints, which also follows an error
 * @param options as `parseArgs` takes them
 * @returns their values
 * @throws Error for the operator
 */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Error(`${messageOf(error)}\n\n${usage}`, { cause: error });
  }
}

/** Runs a command of `npm run`: prints what it returns, or the message of its error, and then exits with 1. */
export function runCommand(main: () => Promise<string | undefined>): void {
  main().then(
    (text) => {
      if (text !== undefined) process.stdout.write(`${text}\n`);
    },
    (error: unknown) => {
      process.stderr.write(`${messageOf(error)}\n`);
      process.exitCode = 1;
    },
  );
}
