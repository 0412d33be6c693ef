import { declaredVariables, type DeclaredVariable } from './declared-variables';
import { SECRET_VARIABLES } from './environment-reader';
import { VARIABLE_GROUPS, type VariableText } from './variables';

/** @returns `docs/configuration.md`, from what `Environment` reads and the texts of `variables.ts` */
export function configurationPage(): string {
  const declared = declaredVariables();
  const sections = VARIABLE_GROUPS.map(({ title, intro, variables }) => {
    const rows = Object.entries(variables).map(([name, text]) => rowOf(name, text, declared.get(name)));
    return [`## ${title}`, intro, tableOf([['Variable', 'Values', 'Default', 'Meaning'], ...rows])];
  });
  return `${[...INTRODUCTION, ...sections.flat()].filter((part) => part !== undefined).join('\n\n')}\n`;
}

const INTRODUCTION = [
  '# Configuration',
  '<!-- Written by `npm run configuration` from src/config/environment.ts and src/config/variables.ts. -->',
  `The environment is read once, at the start. An invalid value ends the start with a message that names every variable
that is wrong. An empty value counts as not set. A boolean is \`true\` or \`false\`.`,
  'Each of these can be a file instead, named by `<variable>_FILE`:',
  SECRET_VARIABLES.map((name) => `- \`${name}\``).join('\n'),
];

function rowOf(name: string, text: string | VariableText, declared: DeclaredVariable = {}): string[] {
  const { meaning, fallback } = typeof text === 'string' ? { meaning: text, fallback: undefined } : text;
  const plain = declared.fallback === undefined ? '' : `\`${declared.fallback}\``;
  return [`\`${name}\``, declared.values ?? '', fallback ?? plain, meaning];
}

/** Aligned, as prettier writes tables. */
function tableOf(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
