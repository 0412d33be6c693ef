import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { operationId } from '../../src/http/openapi/openapi-operations';
import { ROOT } from './root';

/** A property of a class, as the compiler sees it. */
export interface DeclaredProperty {
  /** Whether it may be left out. */
  isOptional: boolean;
  /** Whether it may be null; undefined where its type is `unknown` or `any`, which says nothing. */
  isNullable: boolean | undefined;
  /** Its own properties, or those of its elements if it is a list; empty where the type names none. */
  properties: () => DeclaredClass;
}

/** The properties of a class by name, those of its base classes included. */
export type DeclaredClass = ReadonlyMap<string, DeclaredProperty>;

/** The classes that a controller's method reads a request into. */
export interface DeclaredInput {
  operationId: string;
  query?: string;
  body?: string;
}

export interface DeclaredTypes {
  classes: ReadonlyMap<string, DeclaredClass>;
  inputs: readonly DeclaredInput[];
}

const SOURCE = join(ROOT, 'src');

/** Reads the classes and controllers of `src/` with the TypeScript compiler: what the code believes of its inputs. */
export function declaredTypes(): DeclaredTypes {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  const options = { strict: true, target: ts.ScriptTarget.ES2023, lib: ['lib.es2023.d.ts'], types: ['node'] };
  const program = ts.createProgram(
    files.map((name) => join(SOURCE, name)),
    options,
    withNest(options),
  );
  const checker = program.getTypeChecker();
  const classes = new Map<string, DeclaredClass>();
  const inputs: DeclaredInput[] = [];
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(SOURCE)) continue;
    for (const node of file.statements) {
      if (!ts.isClassDeclaration(node) || !node.name) continue;
      if (hasDecorator(node, 'Controller')) inputs.push(...inputsOf(node, node.name.text));
      // Entities and services have decorators of their own, shapes of requests and answers have none.
      else if (!ts.getDecorators(node))
        classes.set(node.name.text, propertiesOf(checker.getTypeAtLocation(node), node, checker));
    }
  }
  return { classes, inputs };
}

/** Shapes name types of Nest only (`OmitType`), and reading all packages takes longer than reading the program. */
function withNest(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) =>
      /^\.|^@nestjs\//.test(text) ? ts.resolveModuleName(text, file, options, host) : { resolvedModule: undefined },
    );
  return host;
}

function propertiesOf(type: ts.Type, node: ts.Node, checker: ts.TypeChecker): DeclaredClass {
  return new Map(
    checker.getPropertiesOfType(type).map((property) => {
      const declared = checker.getTypeOfSymbolAtLocation(property, node);
      const parts = declared.isUnion() ? declared.types : [declared];
      const says = (flag: ts.TypeFlags) => parts.some(({ flags }) => (flags & flag) !== 0);
      return [
        property.name,
        {
          isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0 || says(ts.TypeFlags.Undefined),
          isNullable: says(ts.TypeFlags.Any | ts.TypeFlags.Unknown) ? undefined : says(ts.TypeFlags.Null),
          properties: () => innerProperties(parts, node, checker),
        },
      ];
    }),
  );
}

/** @param parts of a union, or one type; of two objects one cannot tell which is meant */
function innerProperties(parts: ts.Type[], node: ts.Node, checker: ts.TypeChecker): DeclaredClass {
  const elements = parts.map(
    (type) => (checker.isArrayType(type) && checker.getIndexTypeOfType(type, ts.IndexKind.Number)) || type,
  );
  const [object, ...others] = elements.filter(({ flags }) => (flags & ts.TypeFlags.Object) !== 0);
  return object && others.length === 0 ? propertiesOf(object, node, checker) : new Map();
}

function inputsOf(controller: ts.ClassDeclaration, name: string): DeclaredInput[] {
  return controller.members.filter(ts.isMethodDeclaration).map((method) => ({
    operationId: operationId(name, method.name.getText()),
    query: parameterType(method, 'Query'),
    body: parameterType(method, 'Body'),
  }));
}

/** @returns the name of the type of the parameter that has the decorator, if it is a class */
function parameterType(method: ts.MethodDeclaration, decorator: string): string | undefined {
  const type = method.parameters.find((parameter) => hasDecorator(parameter, decorator))?.type;
  return type && ts.isTypeReferenceNode(type) ? type.typeName.getText() : undefined;
}

function hasDecorator(node: ts.HasDecorators, name: string): boolean {
  return (ts.getDecorators(node) ?? []).some(
    ({ expression }) => ts.isCallExpression(expression) && expression.expression.getText() === name,
  );
}
