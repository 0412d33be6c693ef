import type { Question } from '../launch/template';

/** A question in the configuration of a client. */
export interface AskedQuestion extends Question {
  /** The key of the server. */
  server: string;
  /** Its name in the configuration. */
  id: string;
  /** Its placeholder in the configuration; null: it was left out. */
  placeholder: string | null;
}

/** How a format names questions. */
export interface QuestionNames {
  /** The name of a question, unless another question of the same server has it. */
  id: (question: string, server: string) => string;
  /** The placeholder for the answer. */
  placeholder: (id: string, isRequired: boolean) => string;
}

/** The questions of one server. Their names do not depend on the other servers of the bundle. */
export class AskedOfServer {
  private readonly byName = new Map<string, AskedQuestion>();
  private readonly taken = new Set<string>();
  /** The last number that was appended to an id that several questions would have. */
  private readonly numbers = new Map<string, number>();

  constructor(
    private readonly server: string,
    private readonly names: QuestionNames,
  ) {}

  /**
   * @returns the placeholder for the answer, which is the same for all questions with the same name; where it depends on
   *   whether the answer is required, only once all of them were asked
   */
  ask(question: Question): string {
    return this.asked(question).placeholder;
  }

  /** Asks the question. @returns its name in the configuration */
  idOf(question: Question): string {
    return this.asked(question).id;
  }

  all(): AskedQuestion[] {
    return [...this.byName.values()];
  }

  private asked(question: Question): AskedQuestion & { placeholder: string } {
    const earlier = this.byName.get(question.name);
    const id = earlier?.id ?? this.freeId(question.name);
    const isRequired = question.isRequired || earlier?.isRequired === true;
    const asked = {
      ...(earlier ?? question),
      isSecret: question.isSecret || earlier?.isSecret === true,
      isRequired,
      server: this.server,
      id,
      placeholder: this.names.placeholder(id, isRequired),
    };
    this.byName.set(question.name, asked);
    return asked;
  }

  private freeId(name: string): string {
    const wanted = this.names.id(name, this.server);
    let id = wanted;
    let number = this.numbers.get(wanted) ?? 1;
    while (this.taken.has(id)) id = `${wanted}_${++number}`;
    this.numbers.set(wanted, number);
    this.taken.add(id);
    return id;
  }
}

/** @returns questions that were left out, as they appear in a report */
export function leftOut(server: string, questions: readonly Question[]): AskedQuestion[] {
  return questions.map((question) => ({ ...question, server, id: question.name, placeholder: null }));
}

/** In the form of an environment variable. Keys have no two successive hyphens, so two underscores end one. */
export function toVariableName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
}

/**
 * The name of a variable for a question of a server. With the key of the server: two servers may each need an API_KEY,
 * and neither should get the other's. The name of a variable must not begin with a digit; no key begins with an
 * underscore.
 */
export function variableOf(question: string, server: string): string {
  return `${/^\d/.test(server) ? '_' : ''}${toVariableName(server)}__${toVariableName(withoutDashes(question))}`;
}

/** The name of an argument without its leading dashes. */
export function withoutDashes(name: string): string {
  return name.replace(/^-+/, '') || name;
}
