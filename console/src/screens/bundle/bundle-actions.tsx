import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/queries';
import type { Bundle } from '../../api/schema';
import { t } from '../../messages/text';
import { Button, buttonClass } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Row } from '../../ui/layout';
import { Menu, MenuItem } from '../../ui/menu';
import { notify } from '../../ui/toasts';
import { DeleteBundle } from './delete-bundle';
import { bundleWords } from './words';

const FOLLOW_CHANGES = [
  'GET /v1/bundles/{bundle_id}',
  'GET /v1/bundles',
  'GET /v1/bundles/{bundle_id}/followers',
] as const;

/** What can be done with a bundle as a whole. */
export function BundleActions({ bundle }: { bundle: Bundle }) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Row>
      <FollowButton bundle={bundle} />
      <Link
        to="/bundles/$bundleId"
        params={{ bundleId: bundle.id }}
        search={{ tab: 'connect' }}
        className={buttonClass('primary')}
      >
        <Icon name="plug" />
        {bundleWords.connect}
      </Link>
      {bundle.may_modify && (
        <Link to="/bundles/$bundleId/edit" params={{ bundleId: bundle.id }} className={buttonClass()}>
          <Icon name="pencil" />
          {bundleWords.edit}
        </Link>
      )}
      {bundle.may_modify && (
        <Menu trigger={<Button icon="menu" aria-label={bundleWords.more} />}>
          <MenuItem icon="trash" onClick={() => setDeleting(true)}>
            {bundleWords.delete.action}
          </MenuItem>
        </Menu>
      )}
      {isDeleting && <DeleteBundle bundle={bundle} onClose={() => setDeleting(false)} />}
    </Row>
  );
}

function FollowButton({ bundle }: { bundle: Bundle }) {
  const follow = useChange('PUT /v1/bundles/{bundle_id}/follow', FOLLOW_CHANGES);
  const unfollow = useChange('DELETE /v1/bundles/{bundle_id}/follow', FOLLOW_CHANGES);
  const toggle = () => {
    const change = bundle.is_followed ? unfollow : follow;
    change.mutate(
      { path: { bundle_id: bundle.id } },
      {
        onSuccess: () => notify(bundle.is_followed ? bundleWords.unfollowed : bundleWords.followed),
        onError: (problem) => notify(problem.message === '' ? t.ui.problem.unreachable : problem.message, 'bad'),
      },
    );
  };
  return (
    <Button
      icon={bundle.is_followed ? 'check' : 'bell'}
      aria-pressed={bundle.is_followed}
      busy={follow.isPending || unfollow.isPending}
      onClick={toggle}
    >
      {bundle.is_followed ? bundleWords.unfollow : bundleWords.follow}
    </Button>
  );
}
