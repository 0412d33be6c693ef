import type { KnownConfig } from '../entries/entry-config';
import { BRACES, bracesIn, type ServerInput } from './server-parts';
import { hasQuestions, type Question, type Template } from './template';

/** What happens to `{braces}` that the document does not declare: they stay as they are, or become a question. */
export type Undeclared = 'kept' | 'asked';

/**
 * Decides the values of the inputs of one server: by the configuration of the entry, else by the document, else the
 * user of the bundle is asked, if the server needs a value. A secret is always asked for, even if one of them has a
 * value.
 */
export class InputResolver {
  /** Questions that were left out, because the client cannot ask and the server needs no value. */
  readonly unasked: Question[] = [];
  /** The names of the secrets whose values in the configuration are not used. */
  readonly ignored: string[] = [];

  /** @param canAsk whether the client can ask its user for values */
  constructor(
    private readonly config: KnownConfig,
    private readonly canAsk: boolean,
  ) {}

  /**
   * @param configured the value of the input in the configuration
   * @returns undefined if the input is left out
   */
  resolve(input: ServerInput, configured: string | undefined, undeclared: Undeclared): Template | undefined {
    const template = this.valueOf(input, configured, undeclared);
    if (!template || this.canAsk || input.isRequired || !hasQuestions(template)) return template;
    // Without a way to ask, a placeholder would be taken for the value.
    this.unasked.push(...template.filter((part) => typeof part !== 'string'));
    return undefined;
  }

  /** @returns the address of a remote server, with its variables */
  resolveAddress(url: string, variables: ServerInput['variables']): Template | undefined {
    return this.fill({ ...REQUIRED_TEXT, variables }, url, 'asked');
  }

  private valueOf(input: ServerInput, configured: string | undefined, undeclared: Undeclared): Template | undefined {
    if (input.holdsSecret && configured !== undefined) {
      this.ignored.push(input.name);
      return this.valueOf(input, undefined, undeclared);
    }
    if (input.isSecret) {
      return input.value !== undefined && bracesIn(input.value).length > 0
        ? this.fill(input, input.value, undeclared)
        : [question(input)];
    }
    if (configured !== undefined) return [configured];
    if (input.value !== undefined) return this.fill(input, input.value, undeclared);
    if (input.default !== undefined) return [input.default];
    return input.isRequired ? [question(input)] : undefined;
  }

  /**
   * Replaces the `{braces}` in a value.
   *
   * @returns undefined if a variable without a value may be left out, and with it the whole input
   */
  private fill(input: FilledInput, value: string, undeclared: Undeclared): Template | undefined {
    const parts: (string | Question)[] = [];
    // At odd indexes are the names of variables, at even ones the text between them.
    for (const [index, text] of value.split(BRACES).entries()) {
      if (index % 2 === 0) {
        if (text !== '') parts.push(text);
        continue;
      }
      const variable = input.variables.get(text);
      const configured = this.config.variables.get(text);
      if (!variable) {
        parts.push(this.undeclaredPart(input, text, configured, undeclared));
      } else if (variable.isSecret) {
        if (configured !== undefined) this.ignored.push(text);
        parts.push(question(variable, input));
      } else {
        const filled = configured ?? variable.value ?? variable.default;
        if (filled === undefined && !variable.isRequired && !input.isRequired) return undefined;
        parts.push(filled ?? question(variable, input));
      }
    }
    return parts;
  }

  /**
   * A variable that the document does not declare might be a secret: it is treated as one, unless the bundle has a
   * value.
   */
  private undeclaredPart(
    input: FilledInput,
    name: string,
    configured: string | undefined,
    undeclared: Undeclared,
  ): string | Question {
    if (configured !== undefined && !input.isSecret) return configured;
    if (configured !== undefined) this.ignored.push(name);
    if (undeclared === 'kept' && !input.isSecret) return `{${name}}`;
    const { description, isRequired } = input;
    return { name, description, isSecret: true, isRequired, choices: [] };
  }
}

/** What the variables in a value take from the input that they are part of. */
type FilledInput = Pick<ServerInput, 'variables' | 'description' | 'isRequired' | 'isSecret'>;

const REQUIRED_TEXT = { description: undefined, isRequired: true, isSecret: false };

function question(input: ServerInput, parent?: FilledInput): Question {
  return {
    name: input.name || (input.valueHint ?? 'argument'),
    description: input.description ?? parent?.description,
    isSecret: input.isSecret,
    isRequired: input.isRequired || parent?.isRequired === true,
    choices: input.choices,
    ...(input.default !== undefined && { default: input.default }),
  };
}
