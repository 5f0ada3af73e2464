// A record's own entry of a name that came from outside, where __proto__ is a name like any other.
export function own<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
