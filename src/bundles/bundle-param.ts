import { IdParam } from '../http/requests/fields';

/** The bundle in the path. */
export const BundleParam = () => IdParam('bundle_id', 'The bundle.');
