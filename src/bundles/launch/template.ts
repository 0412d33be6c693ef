import type { KnownConfig } from '../entries/entry-config';
import { BRACES, bracesIn, type ServerInput } from './server-parts';

/** Something that whoever uses the bundle has to give. */
export interface Question {
  readonly name: string;
  readonly description: string | undefined;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  readonly default: string | undefined;
  readonly choices: readonly string[];
}

/** A text with questions in it. */
export type Template = readonly (string | Question)[];

/** What becomes of `{braces}` of which the document says nothing: they stay as they are, or they are asked for. */
export type Undeclared = 'kept' | 'asked';

/**
 * Decides what a server is told: what the bundle's configuration says, else what the document says, else whoever uses
 * the bundle is asked, if the server cannot do without. What is secret is always asked for, whatever there is.
 *
 * @param configured what the configuration says of it
 * @param ignored is told the name of each secret for which the configuration has a value
 * @returns undefined when nothing need be said
 */
export function resolveInput(
  input: ServerInput,
  config: KnownConfig,
  configured: string | undefined,
  undeclared: Undeclared,
  ignored: (name: string) => void,
): Template | undefined {
  if (input.holdsSecret && configured !== undefined) {
    ignored(input.name);
    return resolveInput(input, config, undefined, undeclared, ignored);
  }
  if (input.isSecret) {
    return input.value !== undefined && bracesIn(input.value).length > 0
      ? fill(input, input.value, config, undeclared, ignored)
      : [question(input)];
  }
  if (configured !== undefined) return [configured];
  if (input.value !== undefined) return fill(input, input.value, config, undeclared, ignored);
  if (input.default !== undefined) return [input.default];
  return input.isRequired ? [question(input)] : undefined;
}

export function hasQuestions(template: Template): boolean {
  return template.some((part) => typeof part !== 'string');
}

/** Puts what is known in the place of the `{braces}`; undefined when one may stay open, and with it the whole. */
function fill(
  input: ServerInput,
  value: string,
  config: KnownConfig,
  undeclared: Undeclared,
  ignored: (name: string) => void,
): Template | undefined {
  const parts: (string | Question)[] = [];
  // Every other one is the name of a variable.
  for (const [index, text] of value.split(BRACES).entries()) {
    if (index % 2 === 0) {
      if (text !== '') parts.push(text);
      continue;
    }
    const variable = input.variables.get(text);
    const configured = config.variables.get(text);
    if (!variable) {
      parts.push(...unknownPart(input, text, configured, undeclared, ignored));
    } else if (variable.isSecret) {
      if (configured !== undefined) ignored(text);
      parts.push(question(variable, input));
    } else {
      const known = configured ?? variable.value ?? variable.default;
      if (known === undefined && !variable.isRequired && !input.isRequired) return undefined;
      parts.push(known ?? question(variable, input));
    }
  }
  return parts;
}

/** Nobody has said whether it is a secret: it is taken for one, unless the bundle has a value for it. */
function unknownPart(
  input: ServerInput,
  name: string,
  configured: string | undefined,
  undeclared: Undeclared,
  ignored: (name: string) => void,
): (string | Question)[] {
  if (configured !== undefined && !input.isSecret) return [configured];
  if (configured !== undefined) ignored(name);
  if (undeclared === 'kept' && !input.isSecret) return [`{${name}}`];
  const { description, isRequired } = input;
  return [{ name, description, isSecret: true, isRequired, default: undefined, choices: [] }];
}

function question(input: ServerInput, parent?: ServerInput): Question {
  return {
    name: input.name || (input.valueHint ?? 'argument'),
    description: input.description ?? parent?.description,
    isSecret: input.isSecret,
    isRequired: input.isRequired || parent?.isRequired === true,
    default: input.default,
    choices: input.choices,
  };
}
