package replay

// Changing is for tests: the functions that no policy may call.
func Changing() []string { return changing }
