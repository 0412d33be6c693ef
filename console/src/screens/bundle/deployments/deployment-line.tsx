import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Bundle, Deployment, DeploymentStatus } from '../../../api/schema';
import { Badge, type Tone } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { CopyBlock } from '../../../ui/copy';
import { hasDraft } from '../../../ui/draft';
import type { IconName } from '../../../ui/icon';
import { Quiet, Row } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { When } from '../../../ui/when';
import styles from '../bundle.module.css';
import { ChangeDeployment, MoveDeployment, RemoveDeployment } from './deployment-dialogs';
import { deploymentsWords as words } from './words';

const LOOKS: Record<DeploymentStatus, readonly [Tone | undefined, IconName]> = {
  PENDING: [undefined, 'clock'],
  DEPLOYING: ['accent', 'refresh'],
  RUNNING: ['good', 'play'],
  FAILED: ['bad', 'alert'],
  STOPPED: ['warn', 'pause'],
};

interface DeploymentLineProps {
  bundle: Bundle;
  deployment: Deployment;
}

/** A deployment: what it runs, how it is, and where clients connect. */
export function DeploymentLine({ bundle, deployment }: DeploymentLineProps) {
  const { kind, status, url, bundle_version: version, is_outdated: isOutdated } = deployment;
  const [tone, icon] = LOOKS[status];
  const params = { bundleId: bundle.id };
  return (
    <div className={styles.detail}>
      <div className={styles.line}>
        <div className={styles.grow}>
          <Row>
            <span className={styles.title}>
              <OtherText>{deployment.name}</OtherText>
            </span>
            <Badge {...(tone && { tone })} icon={icon}>
              {words.statuses[status]}
            </Badge>
          </Row>
          <ul className={styles.facts}>
            <li>
              <OtherText>{deployment.environment}</OtherText>
            </li>
            <li>{words.kinds[kind]}</li>
            <li>
              {words.version(version)}, {isOutdated ? words.isOutdated(bundle.version) : words.isLatest}
            </li>
            {isOutdated && (
              <li>
                <Link
                  to="/bundles/$bundleId"
                  params={params}
                  search={{ tab: 'versions', version: String(version), with: String(bundle.version) }}
                  aria-label={words.whatChangedOf(shown(deployment.name))}
                >
                  {words.whatChanged}
                </Link>
              </li>
            )}
            <li>
              {words.changed} <When at={deployment.updated_at} />
            </li>
          </ul>
        </div>
        {bundle.may_modify && <Actions bundle={bundle} deployment={deployment} />}
      </div>
      {url !== null && <CopyBlock text={url} display={shown(url)} what={words.address} />}
      {kind === 'ENDPOINT' && status === 'STOPPED' && (
        <p>
          <Quiet>{words.stoppedHelp}</Quiet>{' '}
          <Link to="/bundles/$bundleId" params={params} search={{ tab: 'endpoint' }}>
            {words.toEndpoint}
          </Link>
        </p>
      )}
    </div>
  );
}

function Actions({ bundle, deployment }: DeploymentLineProps) {
  const [open, setOpen] = useState<'change' | 'move' | 'remove' | undefined>(() =>
    hasDraft(`deployment.${deployment.id}`) ? 'change' : undefined,
  );
  const name = shown(deployment.name);
  const close = () => setOpen(undefined);
  const dialog = { bundle, deployment, onClose: close };
  return (
    <Row>
      {deployment.is_outdated && (
        <Button icon="up" aria-label={words.moveOf(name, bundle.version)} onClick={() => setOpen('move')}>
          {words.move(bundle.version)}
        </Button>
      )}
      <Button icon="pencil" aria-label={words.changeOf(name)} onClick={() => setOpen('change')}>
        {words.change}
      </Button>
      <Button icon="trash" aria-label={words.removeOf(name)} onClick={() => setOpen('remove')}>
        {words.remove}
      </Button>
      {open === 'move' && <MoveDeployment {...dialog} />}
      {open === 'change' && <ChangeDeployment {...dialog} />}
      {open === 'remove' && <RemoveDeployment {...dialog} />}
    </Row>
  );
}
