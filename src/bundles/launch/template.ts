/** A value that the user of the bundle has to provide. */
export interface Question {
  readonly name: string;
  readonly description: string | undefined;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** What the document proposes. */
  readonly default?: string;
}

/** A text with questions in it. */
export type Template = readonly (string | Question)[];

export function hasQuestions(template: Template): boolean {
  return template.some((part) => typeof part !== 'string');
}
