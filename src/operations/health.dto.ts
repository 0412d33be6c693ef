import { ApiProperty } from '@nestjs/swagger';

export class HealthOut {
  @ApiProperty({ enum: ['ok'] })
  status: 'ok';
}

export class ReadinessOut extends HealthOut {
  @ApiProperty({ enum: ['ok'] })
  database: 'ok';

  @ApiProperty({ enum: ['ok'] })
  migrations: 'ok';
}
