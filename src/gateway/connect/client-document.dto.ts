import { text } from '../../http/requests/kinds';
import { ListField, TextField } from '../../http/requests/fields';

/** A client metadata document (draft-ietf-oauth-client-id-metadata-document-00, section 4; RFC 7591, section 2). */
export class ClientDocumentOut {
  @TextField({ description: 'The address of this document.' })
  client_id: string;

  @TextField({ description: 'What people read.' })
  client_name: string;

  @TextField({ description: 'Where people find this service.' })
  client_uri: string;

  @ListField(text(), { max: 1, description: 'Where people come back to.' })
  redirect_uris: string[];

  @ListField(text(), { max: 2, description: 'How it gets tokens.' })
  grant_types: string[];

  @ListField(text(), { max: 1, description: 'What it takes from people.' })
  response_types: string[];

  @TextField({ description: '`none`: what it says of itself can have no secret.' })
  token_endpoint_auth_method: string;

  @TextField({ description: '`web`: it runs on a server.' })
  application_type: string;
}
