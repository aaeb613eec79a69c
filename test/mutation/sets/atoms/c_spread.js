function check_existence(items) {
  const evidence = [...(items ?? [])];
  const is_match = evidence.length > 0;
  return { is_match, reason: is_match ? `${evidence.length} item(s) present` : "no item present", evidence };
}
