import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { capStatement } from '../../src/database/cap';
import { ROOT } from './root';

/** What a column of a result is to the program; `unknown` where its type says nothing, or JSON. */
export type ColumnKind = 'string' | 'number' | 'boolean' | 'instant' | 'bytes' | 'list' | 'unknown';

/** A call of `many`, `maybe`, `one`, `execute` or `prepared` in `src/`, as the compiler sees it. */
export interface DeclaredStatement {
  /** `catalog/listings/listing-finder.ts › ListingFinder.find`. */
  place: string;
  /** The texts that it can have; undefined where one is put together at run time. */
  sql: readonly string[] | undefined;
  /** What the row's type says of its columns by name; undefined where it names none. */
  columns: ReadonlyMap<string, DeclaredColumn> | undefined;
}

export interface DeclaredColumn {
  kind: ColumnKind;
  isOptional: boolean;
}

const SOURCE = join(ROOT, 'src');
const RUNNERS = new Set(['many', 'maybe', 'one', 'execute', 'prepared']);
/** Of statements with conditional parts: more is a statement put together at run time. */
const MAX_TEXTS = 64;

/** Reads every statement of `src/` with the TypeScript compiler, which follows constants and functions of one expression. */
export function declaredStatements(): DeclaredStatement[] {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const program = ts.createProgram(
    files.map((name) => join(SOURCE, name)),
    {
      strict: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      experimentalDecorators: true,
      skipLibCheck: true,
      types: ['node'],
    },
  );
  const checker = program.getTypeChecker();
  const texts = new Texts(checker);
  const statements: DeclaredStatement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isRunner(node.expression, checker)) {
      const [, sql] = node.arguments;
      const file = node.getSourceFile().fileName;
      statements.push({
        place: `${relative(SOURCE, file)} › ${nameAround(node)}`,
        sql: sql && texts.of(sql, new Map()),
        columns: columnsOf(node.typeArguments?.[0], checker),
      });
    }
    if (ts.isObjectLiteralExpression(node)) {
      const sql = registeredSql(node, checker.getContextualType(node)?.symbol?.name, texts);
      if (sql) {
        const place = `${relative(SOURCE, node.getSourceFile().fileName)} › ${sql.kind}`;
        statements.push({ place, sql: sql.texts, columns: undefined });
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) {
    if (file.fileName.startsWith(SOURCE) && !file.fileName.endsWith('database/statements.ts')) visit(file);
  }
  return statements;
}

/** What `database/` runs for others, which declare it as a part of an object. */
const REGISTERED: Record<string, { property: string; statement: (part: string) => string }> = {
  Cap: { property: 'rows', statement: capStatement },
  RetainedRows: { property: 'remove', statement: (remove) => remove },
};

function registeredSql(
  node: ts.ObjectLiteralExpression,
  kind = '',
  texts: Texts,
): { kind: string; texts: readonly string[] | undefined } | undefined {
  const registered = REGISTERED[kind];
  if (!registered) return undefined;
  const part = node.properties.find((property) => property.name?.getText() === registered.property);
  const value = part && ts.isPropertyAssignment(part) ? part.initializer : part?.name;
  const found = value && ts.isExpression(value) ? texts.of(value, new Map()) : undefined;
  return { kind, texts: found?.map(registered.statement) };
}

function isRunner(callee: ts.Expression, checker: ts.TypeChecker): boolean {
  if (!ts.isIdentifier(callee) || !RUNNERS.has(callee.text)) return false;
  const file = declarationOf(callee, checker)?.getSourceFile().fileName ?? '';
  return /database\/(statements|prepared)\.ts$/.test(file);
}

/** The class and method, or the function, in which a node is. */
function nameAround(node: ts.Node): string {
  const names: string[] = [];
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isClassLike(at) || ts.isMethodDeclaration(at) || ts.isFunctionDeclaration(at)) {
      if (at.name) names.unshift(at.name.getText());
    }
  }
  return names.join('.');
}

function declarationOf(node: ts.Node, checker: ts.TypeChecker): ts.Declaration | undefined {
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
  return symbol?.valueDeclaration;
}

function columnsOf(
  row: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ReadonlyMap<string, DeclaredColumn> | undefined {
  if (!row) return undefined;
  const properties = checker.getPropertiesOfType(checker.getTypeFromTypeNode(row));
  if (properties.length === 0) return undefined;
  return new Map(
    properties.map((property) => [
      property.name,
      {
        kind: kindOf(checker.getTypeOfSymbolAtLocation(property, row), checker),
        isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      },
    ]),
  );
}

function kindOf(type: ts.Type, checker: ts.TypeChecker): ColumnKind {
  const present = checker.getNonNullableType(type);
  const parts = present.isUnion() ? present.types : [present];
  const kinds = new Set(parts.map((part) => kindOfPart(part, checker)));
  const [kind = 'unknown'] = kinds;
  return kinds.size === 1 ? kind : 'unknown';
}

function kindOfPart(type: ts.Type, checker: ts.TypeChecker): ColumnKind {
  if ((type.flags & ts.TypeFlags.StringLike) !== 0) return 'string';
  if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return 'number';
  if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return 'boolean';
  if (checker.isArrayType(type)) return 'list';
  const name = type.symbol?.name;
  if (name === 'Date') return 'instant';
  return name === 'Buffer' ? 'bytes' : 'unknown';
}

/** What the parameters of a function stand for in a call of it. */
type Arguments = ReadonlyMap<ts.Declaration, readonly string[] | ObjectArgument>;

/** An object literal, with the arguments of the call in which it is. */
interface ObjectArgument {
  literal: ts.ObjectLiteralExpression;
  around: Arguments;
}

/** Finds out which texts an expression can have, as far as constants decide it. */
class Texts {
  constructor(private readonly checker: ts.TypeChecker) {}

  /** @returns undefined where anything else decides it */
  of(node: ts.Expression, given: Arguments): readonly string[] | undefined {
    const texts = this.find(node, given) ?? this.fromType(node);
    return texts && texts.length <= MAX_TEXTS ? [...new Set(texts)] : undefined;
  }

  private find(node: ts.Expression, given: Arguments): readonly string[] | undefined {
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [node.text];
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) return [node.getText()];
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      return this.of(node.expression, given);
    }
    if (ts.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(({ expression }) => this.of(expression, given));
      return parts.reduce<readonly string[] | undefined>(
        (before, part, place) => joined(before, part, node.templateSpans[place]?.literal.text ?? ''),
        [node.head.text],
      );
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      return joined(this.of(node.left, given), this.of(node.right, given), '');
    }
    if (ts.isConditionalExpression(node)) {
      const [first, second] = [this.of(node.whenTrue, given), this.of(node.whenFalse, given)];
      return first && second && [...first, ...second];
    }
    if (ts.isCallExpression(node)) return this.ofCall(node, given);
    if (ts.isObjectLiteralExpression(node)) return this.ofPrepared(node);
    if (ts.isIdentifier(node)) return this.ofDeclaration(declarationOf(node, this.checker), given);
    if (ts.isPropertyAccessExpression(node)) return this.ofDeclaration(declarationOf(node, this.checker), given);
    return undefined;
  }

  private ofDeclaration(declaration: ts.Declaration | undefined, given: Arguments): readonly string[] | undefined {
    if (!declaration) return undefined;
    const argument = given.get(declaration);
    if (argument) return 'literal' in argument ? undefined : argument;
    if (ts.isBindingElement(declaration)) return this.ofBinding(declaration, given);
    const loop = declaration.parent?.parent;
    if (loop && ts.isForOfStatement(loop)) return this.ofElements(loop.expression);
    const isConstant =
      ts.isPropertyAssignment(declaration) ||
      (ts.isVariableDeclaration(declaration) && (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0);
    if (!isConstant || !declaration.initializer) return undefined;
    return this.of(declaration.initializer, given);
  }

  /** A PreparedStatement. */
  private ofPrepared(statement: ts.ObjectLiteralExpression): readonly string[] | undefined {
    const sql = statement.properties.find((property) => property.name?.getText() === 'sql');
    return sql && ts.isPropertyAssignment(sql) ? this.of(sql.initializer, new Map()) : undefined;
  }

  /** What a loop over a constant list goes through. */
  private ofElements(list: ts.Expression): readonly string[] | undefined {
    const declaration = declarationOf(list, this.checker);
    const elements = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    if (!elements || !ts.isArrayLiteralExpression(elements)) return undefined;
    const texts = elements.elements.map((element) => this.of(element, new Map()));
    return texts.includes(undefined) ? undefined : texts.flatMap((text) => text ?? []);
  }

  /** A property that a function takes out of the object that it is given. */
  private ofBinding(element: ts.BindingElement, given: Arguments): readonly string[] | undefined {
    const argument = given.get(element.parent.parent);
    if (!argument || !('literal' in argument)) return undefined;
    const name = (element.propertyName ?? element.name).getText();
    for (const property of argument.literal.properties) {
      if (property.name?.getText() !== name) continue;
      if (ts.isPropertyAssignment(property)) return this.of(property.initializer, argument.around);
    }
    return element.initializer && this.of(element.initializer, given);
  }

  /** A function that is one expression, or that ends with its only return. */
  private ofCall(call: ts.CallExpression, given: Arguments): readonly string[] | undefined {
    const declaration = declarationOf(call.expression, this.checker);
    const called =
      declaration && ts.isVariableDeclaration(declaration) && declaration.initializer
        ? declaration.initializer
        : declaration;
    if (!called || !(ts.isArrowFunction(called) || ts.isFunctionDeclaration(called)) || !called.body) return undefined;
    const body = ts.isBlock(called.body) ? onlyReturn(called.body) : called.body;
    if (!body) return undefined;
    const inner = new Map<ts.Declaration, readonly string[] | ObjectArgument>();
    called.parameters.forEach((parameter, place) => {
      const argument = call.arguments[place] ?? parameter.initializer;
      if (!argument) return;
      if (ts.isObjectLiteralExpression(argument)) {
        inner.set(parameter, { literal: argument, around: given });
        return;
      }
      const texts = this.of(argument, given);
      if (texts) inner.set(parameter, texts);
    });
    return this.of(body, inner);
  }

  /** What has a type of one text, or of a few. */
  private fromType(node: ts.Expression): readonly string[] | undefined {
    const type = this.checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    const texts = parts.flatMap((part) =>
      part.isStringLiteral() || part.isNumberLiteral() ? [String(part.value)] : [],
    );
    return texts.length === parts.length ? texts : undefined;
  }
}

function onlyReturn({ statements }: ts.Block): ts.Expression | undefined {
  const [statement, ...others] = statements;
  return statement && others.length === 0 && ts.isReturnStatement(statement) ? statement.expression : undefined;
}

function joined(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  end: string,
): readonly string[] | undefined {
  if (!before || !after || before.length * after.length > MAX_TEXTS) return undefined;
  return before.flatMap((first) => after.map((second) => first + second + end));
}
