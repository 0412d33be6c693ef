import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../../../api/queries';
import { useSignedIn } from '../../../api/me';
import { Button } from '../../../ui/button';
import { Loaded } from '../../../ui/problem';
import { PlatformFrame } from '../platform-frame';
import { platformWords } from '../words';
import { CategoryForm } from './category-form';
import { CategoryLists } from './category-lists';
import { categoryWords as words } from './words';

/** The categories of the catalogue, in the order in which people see them. */
export function CategoriesScreen() {
  const { create } = useSearch({ from: '/platform/categories' });
  const navigate = useNavigate({ from: '/platform/categories' });
  const me = useSignedIn();
  const open = (value: string | undefined) => void navigate({ search: { create: value }, replace: true });
  return (
    <PlatformFrame
      title={platformWords.screens.categories}
      actions={
        <Button look="primary" icon="plus" onClick={() => open('1')}>
          {words.create}
        </Button>
      }
    >
      <Categories />
      {create !== undefined && me.is_platform_admin && <CategoryForm onClose={() => open(undefined)} />}
    </PlatformFrame>
  );
}

function Categories() {
  const read = useRead('GET /v1/mcp/categories/overview', {});
  return (
    <Loaded read={read} lines={8}>
      {(overview) => <CategoryLists overview={overview} />}
    </Loaded>
  );
}
