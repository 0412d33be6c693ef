import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Cause } from './audit-trail';

/** @returns what the audit log says of a change by this person */
export function causeOfMember({ userId, requestId }: { userId: string; requestId: string | null }): Cause {
  return { actorType: 'user', actorId: userId, requestId };
}

/** The same of a caller who is no member yet, for a controller's method. */
export const CurrentCause = createParamDecorator((_: unknown, context: ExecutionContext): Cause => {
  const { caller, id } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('An open route has no caller.');
  return causeOfMember({ userId: caller.userId, requestId: id });
});
