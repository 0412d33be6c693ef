const NAMED = new Map<string, string>();

/**
 * Names an operation for which controller and method give no good name: a noun that is repeated, a method that is no
 * verb, or a controller that holds the operations of two nouns.
 *
 * @param id a noun, then a verb
 */
export function OperationId(id: string): MethodDecorator {
  return (controller, method) => void NAMED.set(`${controller.constructor.name}.${String(method)}`, id);
}

/**
 * The name of an operation: its noun, then its verb, made from the controller and its method
 * (`ThingsController.remove` → `things_remove`) unless `@OperationId` gives another. The request guard finds an
 * operation's rules by it, and generated clients name their methods after it, so a name that was released stays.
 */
export function operationId(controller: string, method: string): string {
  const made = `${snake(controller.replace(/Controller$/, ''))}_${snake(method)}`;
  return NAMED.get(`${controller}.${method}`) ?? made;
}

function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
