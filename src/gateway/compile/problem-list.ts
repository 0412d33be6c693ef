import type { Problem, ProblemCode } from './compiled-bundle';

/** The list shows so many of one kind at one entry, which can have 2,000: 100, and its own count of the rest. */
const MAX_OF_KIND = 101;
/** The list shows so many problems of all entries, besides the first of each kind at each entry. */
const MAX_PROBLEMS = 1_000;

/** The problems of one kind at one entry. */
interface ProblemGroup {
  readonly code: ProblemCode;
  readonly entryId: string;
  shown: number;
  /** After which the report says how many more there are. */
  last: Problem;
  more: number;
}

/**
 * What is wrong with a bundle, in bounds: it is kept as long as the compiled bundle, and servers decide how much it is. The
 * first of each kind at each entry is always there, because it says what state the entry is in.
 */
export class ProblemList {
  private readonly shown: Problem[] = [];
  private readonly kinds = new Map<string, ProblemGroup>();
  private others = 0;
  private added = 0;

  /** How many there are, also those that are not shown. */
  get count(): number {
    return this.added;
  }

  add(...problems: readonly Problem[]): void {
    for (const problem of problems) this.addOne(problem);
  }

  /** @returns those that are shown, in their order; after those of a kind how many more there are */
  get all(): Problem[] {
    const cut = new Map([...this.kinds.values()].filter(({ more }) => more > 0).map((kind) => [kind.last, kind]));
    return this.shown.flatMap((problem) => {
      const kind = cut.get(problem);
      return kind ? [problem, moreOf(kind)] : [problem];
    });
  }

  private addOne(problem: Problem): void {
    const { code, entryId } = problem;
    const key = `${code} ${entryId}`;
    const kind = this.kinds.get(key);
    this.added++;
    if (!kind) this.kinds.set(key, { code, entryId, shown: 1, last: problem, more: 0 });
    else if (kind.shown === MAX_OF_KIND || this.others === MAX_PROBLEMS) {
      kind.more++;
      return;
    } else {
      kind.shown++;
      kind.last = problem;
      this.others++;
    }
    this.shown.push(problem);
  }
}

function moreOf({ code, entryId, more }: ProblemGroup): Problem {
  return { code, entryId, detail: `${more} more of this kind at this entry are not shown.` };
}
