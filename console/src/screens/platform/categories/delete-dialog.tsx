import { useChange } from '../../../api/queries';
import type { CategoryOverviewItem } from '../../../api/schema';
import { ConfirmDialog } from '../../../ui/dialog';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { CATEGORY_CHANGES } from './use-category-order';
import { categoryWords } from './words';

const words = categoryWords.remove;

/** Deletes a category without listings. */
export function DeleteDialog({ category, onClose }: { category: CategoryOverviewItem; onClose: () => void }) {
  const remove = useChange('DELETE /v1/mcp/categories/{category_id}', CATEGORY_CHANGES);
  const name = shown(category.name);
  const done = () => {
    notify(words.done(name));
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title={words.title(name)}
      action={words.action}
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ path: { category_id: category.id } }, { onSuccess: done })}
      onClose={onClose}
    >
      <p>{words.help}</p>
      {remove.error && <Problem error={remove.error} />}
    </ConfirmDialog>
  );
}
