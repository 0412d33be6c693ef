import type { Operations, Paths } from './api-types';

/** Which operation a path belongs to, found by the compiler: `/v1/bundles/${string}?limit=5` is `bundles_get`. */

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/**
 * The body of an answer.
 *
 * @typeParam Path of a call; `unknown` is answered for one that is in no operation, or whose type is only `string`
 * @typeParam Status of the answer; all that are documented if it is only a `number`
 */
export type BodyOf<M extends Method, Path extends string, Status extends number = Success<M>> = number extends Status
  ? Answers<M, Path>[keyof Answers<M, Path>]
  : Status extends keyof Answers<M, Path>
    ? Answers<M, Path>[Status]
    : unknown;

/** What the operation takes; a call that must fail may send anything. */
export type RequestOf<M extends Method, Path extends string, Status extends number> = Status extends 200 | 201 | 204
  ? Operation<M, Path>['body']
  : object;

/** The item of a list. */
export type ItemOf<Path extends string> = BodyOf<'get', Path> extends (infer Item)[] ? Item : unknown;

/** For a variable that gets its value before each test. */
export type OrganisationPath<Below extends string> = `/v1/organisations/${string}/${Below}`;

/** What may stand after a path: a parameter of this type keeps the path's type. */
export type Query = '' | `?${string}`;

/** The status that is expected unless the call says otherwise. */
export type Success<M extends Method> = { get: 200; post: 201; patch: 200; put: 204; delete: 204 }[M];

type Operation<M extends Method, Path extends string> =
  WithoutQuery<Path> extends `/${infer Rest}` ? OfMethod<Uppercase<M>, Walk<Paths, Rest>> : Undocumented;

interface Undocumented {
  body: object;
  answers: Record<number, unknown>;
}

type Answers<M extends Method, Path extends string> = Operation<M, Path>['answers'];

type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;

type Walk<Node, Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? Walk<Step<Node, Part>, Rest>
  : Step<Node, Path>;

/** A literal part before a parameter, as the router does. */
type Step<Node, Part extends string> = Part extends keyof Node
  ? Node[Part]
  : '*' extends keyof Node
    ? Node['*']
    : undefined;

type OfMethod<M extends string, Node> = M extends keyof Node
  ? Node[M] extends keyof Operations
    ? Operations[Node[M]]
    : Undocumented
  : Undocumented;
