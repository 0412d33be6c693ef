import type { Type } from '@nestjs/common';
import { PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { plainToInstance } from 'class-transformer';
import type { Fault } from '../../errors/errors';
import type { OperationBody } from './body-rules';
import { ClassRules, Findings } from './class-rules';
import { ParameterRules } from './parameter-rules';
import { type Handler, pathParameters, queryParameters } from './parameters';
import type { TextChecks } from './text-checks';

type Values = Record<string, unknown>;

/** An object as such; its fields are not checked here. */
class AnyObject {}

/** What the declarations of a handler require of its requests, ready to be applied. */
export class OperationRules {
  private readonly path: ParameterRules;
  private readonly query: ParameterRules;
  private readonly queryType: Type | undefined;
  private readonly bodyType: Type | undefined;
  private readonly bodyFields: ClassRules | undefined;

  /**
   * @param controller that has the handler
   * @param body what the operation declares about its body as a whole; undefined: it takes none
   * @throws Error if the handler takes a query or a body that is not a DTO class
   */
  constructor(
    controller: Type,
    handler: Handler,
    checks: TextChecks,
    readonly body: OperationBody | undefined,
  ) {
    const where = `${controller.name}.${handler.name}`;
    this.path = new ParameterRules(
      'path',
      [pathParameters(handler)].flatMap(asList),
      checks,
      pathOf(controller, handler),
    );
    this.queryType = typeOf(controller, handler, RouteParamtypes.QUERY);
    this.query = new ParameterRules('query', [this.queryType, queryParameters(handler)].flatMap(asList), checks);
    if (!body) return;
    this.bodyType = body.isCheckedElsewhere ? undefined : typeOf(controller, handler, RouteParamtypes.BODY);
    if (!this.bodyType && !body.isCheckedElsewhere) throw new Error(`The body of ${where} is of no DTO class.`);
    this.bodyFields = new ClassRules(this.bodyType ?? AnyObject, checks, this.bodyType !== undefined);
  }

  /** @param faults to append to, here and below */
  readPath(values: Values, faults: Fault[]): Values {
    return this.path.read(values, faults);
  }

  /** @returns the query with defaults and without undeclared parameters; of the DTO class that the handler asks for */
  readQuery(values: Values, faults: Fault[]): object {
    const query = this.query.read(values, faults);
    return this.queryType ? (plainToInstance(this.queryType, query) as object) : query;
  }

  checkBody(value: unknown, faults: Fault[]): void {
    const findings = new Findings(['body']);
    this.bodyFields?.check(value, findings);
    faults.push(...findings.faults);
  }

  /** @param value without errors */
  bodyOf(value: unknown): unknown {
    return this.bodyType ? this.bodyFields?.instantiate(value) : value;
  }
}

function asList<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** @returns the path template, below the global prefix */
function pathOf(controller: Type, handler: Handler): string {
  return [controller, handler].map((one) => Reflect.getMetadata(PATH_METADATA, one) as string).join('/');
}

/** @returns the class of the parameter that receives the whole query or body; undefined if there is none */
function typeOf(controller: Type, handler: Handler, place: RouteParamtypes): Type | undefined {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<
    string,
    { index: number; data?: unknown }
  >;
  const [, argument] = Object.entries(args).find(([key, { data }]) => key.startsWith(`${place}:`) && !data) ?? [];
  if (!argument) return undefined;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) as Type[];
  const type = types[argument.index];
  // Types that are not a class at run time: `unknown`, a record.
  return type === undefined || (type as unknown) === Object ? undefined : type;
}
