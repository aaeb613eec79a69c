// expect: missing_function|syntax
// An HTML comment hides the function.
<!-- function run() { return 1; }
