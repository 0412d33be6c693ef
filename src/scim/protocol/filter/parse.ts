import { LIMITS } from '../limits';
import { ScimError } from '../scim-error';
import {
  type Comparison,
  COMPARISON_OPERATORS,
  type ComparisonOperator,
  type Filter,
  type PatchPath,
  type Presence,
  type Test,
} from './filter';
import { Scanner } from './scanner';

/**
 * ATTRNAME, possibly with a URN and a colon before it, or a dot and a sub-attribute after it (RFC 7644, section
 * 3.4.2.2).
 */
const ATTRIBUTE_PATH = /^(?:urn:[A-Za-z0-9_.:-]+:)?[A-Za-z$][A-Za-z0-9_$-]*(?:\.[A-Za-z$][A-Za-z0-9_$-]*)?$/i;
const SUB_ATTRIBUTE = /^\.([A-Za-z$][A-Za-z0-9_$-]*)$/;

const OPERATORS = new Set<string>(COMPARISON_OPERATORS);

/**
 * Parses a filter: the whole grammar of RFC 7644, section 3.4.2.2. Grouping binds tighter than `not`, that tighter than
 * `and`, that tighter than `or`. Names, operators and keywords are case-insensitive. Beyond the RFC, a value path may
 * be followed by a sub-attribute and an operator, as Entra ID sends it: `emails[type eq "work"].value eq "x"`.
 *
 * @throws ScimError `invalidFilter`, with position and reason, for any other text and for anything beyond LIMITS
 */
export function parseFilter(text: string): Filter {
  if (text.length > LIMITS.filterLength) {
    throw new ScimError('invalidFilter', `The filter is longer than ${LIMITS.filterLength} characters.`);
  }
  const scanner = new Scanner(text);
  const filter = new FilterParser(scanner).parse();
  if (scanner.peek() !== '') throw scanner.fault('expected "and", "or" or the end');
  return filter;
}

/**
 * Parses the path of a PATCH operation (RFC 7644, section 3.5.2): `title`, `name.givenName`, `emails[type eq "work"]`,
 * `emails[type eq "work"].value`, each optionally after a URN and a colon.
 *
 * @throws ScimError `invalidPath`; `invalidFilter` if the error is inside the brackets (RFC 7644, table 9)
 */
export function parsePatchPath(text: string): PatchPath {
  if (text.length > LIMITS.filterLength) {
    throw new ScimError('invalidPath', `The path is longer than ${LIMITS.filterLength} characters.`);
  }
  const scanner = new Scanner(text);
  const attributePath = scanner.peekWord();
  if (!ATTRIBUTE_PATH.test(attributePath)) throw pathFault(scanner, 'expected the name of an attribute');
  scanner.skip(attributePath);
  const valueFilter = scanner.peek() === '[' ? new FilterParser(scanner).parseBrackets() : undefined;
  const word = valueFilter ? scanner.peekWord() : '';
  const sub = SUB_ATTRIBUTE.exec(word)?.[1];
  if (sub) scanner.skip(word);
  if (scanner.peek() !== '') throw pathFault(scanner, 'expected the end');
  return { attributePath, ...(valueFilter && { valueFilter }), ...(sub && { sub }) };
}

function pathFault(scanner: Scanner, reason: string): ScimError {
  return new ScimError('invalidPath', scanner.fault(reason).detail.replace('The filter', 'The path'));
}

/** Recurses once for each parenthesis or bracket, so LIMITS.filterDepth bounds the stack. */
class FilterParser {
  private depth = 0;
  private terms = 0;
  private isInBrackets = false;

  constructor(private readonly scanner: Scanner) {}

  parse(): Filter {
    return this.parseJunction('or', () => this.parseJunction('and', () => this.parseOperand()));
  }

  /** From `[` to `]`, both included. */
  parseBrackets(): Filter {
    if (this.isInBrackets) throw this.scanner.fault('a value path cannot be nested in another one');
    this.isInBrackets = true;
    const filter = this.parseEnclosed('[', ']');
    this.isInBrackets = false;
    return filter;
  }

  private parseJunction(kind: 'and' | 'or', parseOperand: () => Filter): Filter {
    const first = parseOperand();
    const filters = [first];
    while (this.scanner.takeKeyword(kind)) filters.push(parseOperand());
    return filters.length === 1 ? first : { kind, filters };
  }

  private parseOperand(): Filter {
    if (this.scanner.peek() === '(') return this.parseEnclosed('(', ')');
    if (this.scanner.takeKeyword('not')) {
      if (this.scanner.peek() !== '(') throw this.scanner.fault('expected "(" after "not"');
      return { kind: 'not', filter: this.parseEnclosed('(', ')') };
    }
    return this.parseTest();
  }

  private parseEnclosed(opening: string, closing: string): Filter {
    if (++this.depth > LIMITS.filterDepth) {
      throw this.scanner.fault(`parentheses and brackets are nested more than ${LIMITS.filterDepth} deep`);
    }
    this.scanner.skip(opening);
    const filter = this.parse();
    if (!this.scanner.take(closing)) throw this.scanner.fault(`expected "and", "or" or "${closing}"`);
    this.depth--;
    return filter;
  }

  private parseTest(): Test {
    const path = this.scanner.peekWord();
    if (!ATTRIBUTE_PATH.test(path)) throw this.scanner.fault('expected the name of an attribute, "not" or "("');
    this.scanner.skip(path);
    if (this.scanner.peek() !== '[') return this.parseComparison(path);
    const filter = this.parseBrackets();
    const word = this.scanner.peekWord();
    const sub = SUB_ATTRIBUTE.exec(word)?.[1];
    if (!sub) return { kind: 'value', path, filter };
    this.scanner.skip(word);
    return { kind: 'value', path, filter: { kind: 'and', filters: [filter, this.parseComparison(sub)] } };
  }

  private parseComparison(path: string): Presence | Comparison {
    if (++this.terms > LIMITS.filterTerms) {
      throw this.scanner.fault(`there are more than ${LIMITS.filterTerms} comparisons`);
    }
    const word = this.scanner.peekWord();
    const operator = word.toLowerCase();
    if (operator !== 'pr' && !OPERATORS.has(operator)) {
      throw this.scanner.fault(`expected an operator: ${COMPARISON_OPERATORS.join(', ')} or pr`);
    }
    this.scanner.skip(word);
    if (operator === 'pr') return { kind: 'present', path };
    return { kind: 'compare', path, operator: operator as ComparisonOperator, value: this.scanner.takeValue() };
  }
}
