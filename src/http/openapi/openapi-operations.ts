const NAMED = new Map<string, string>();

/**
 * Names an operation whose controller and method do not yield a good name: a repeated noun, a method that is not a
 * verb, or a controller with the operations of two nouns.
 *
 * @param id a noun, then a verb
 */
export function OperationId(id: string): MethodDecorator {
  return (controller, method) => void NAMED.set(`${controller.constructor.name}.${String(method)}`, id);
}

/**
 * The id of an operation: its noun, then its verb, derived from the controller and its method
 * (`ThingsController.remove` → `things_remove`) unless `@OperationId` overrides it. The request guard looks up an
 * operation's rules by it, and generated clients name their methods after it, so a released id never changes.
 */
export function operationId(controller: string, method: string): string {
  const derived = `${snake(controller.replace(/Controller$/, ''))}_${snake(method)}`;
  return NAMED.get(`${controller}.${method}`) ?? derived;
}

function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
