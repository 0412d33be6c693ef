import { defineErrors } from '../../errors/errors';

export const TOOL_ERRORS = defineErrors({
  BundleToolNotFound: { code: 'bundle_tool_not_found', kind: 'notFound', noun: 'Bundle tool' },
  BundleToolConflict: {
    code: 'bundle_tool_conflict',
    kind: 'conflict',
    example: 'Its server has changed the definition since you looked at it. Read it again.',
  },
});
